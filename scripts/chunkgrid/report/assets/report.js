"use strict";
(() => {
  const one = (selector) => document.querySelector(selector);
  const data = JSON.parse(one("#data").textContent);
  const packed = document.querySelectorAll("script.part");
  const t = (key, values = {}) =>
    data.texts[key].replace(/\{\{|\}\}|\{(\w+)\}/g, (whole, name) => (name ? values[name] : whole[0]));
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const count = (number) => number.toLocaleString(document.documentElement.lang);

  const made = (tag, text = "", name = "") => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    if (name) element.className = name;
    return element;
  };

  const fill = (select, names, chosen) => {
    names.forEach((name, n) => select.add(new Option(name, n, n === chosen, n === chosen)));
  };

  // Packed data: raw deflate in base64, unpacked when it is looked at.
  const unpacked = new Map();
  const unpack = (n) => {
    if (!unpacked.has(n)) {
      const bytes = Uint8Array.from(atob(packed[n].textContent), (character) => character.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
      unpacked.set(n, new Response(stream).json());
    }
    return unpacked.get(n);
  };

  // Pictures, each drawn when it comes into view.
  const tip = one("#tip");
  const tooltip = (_, event, item, value) => {
    tip.hidden = value === null || value === undefined || value === "";
    if (tip.hidden) return;
    tip.replaceChildren(
      ...(typeof value === "object"
        ? Object.entries(value).map(([name, content]) => made("div", `${name}: ${content}`))
        : [made("div", String(value))]),
    );
    const right = event.clientX + tip.offsetWidth + 20 > innerWidth;
    tip.style.left = `${Math.max(event.clientX + (right ? -tip.offsetWidth - 12 : 14), 0)}px`;
    tip.style.top = `${Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 4)}px`;
  };
  // The interpreter of expressions (ast) makes no code of texts, so that the page may forbid it.
  const draw = (place, spec) =>
    vegaEmbed(place, spec, { ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip });
  const seen = new IntersectionObserver(
    (entries) =>
      entries
        .filter((entry) => entry.isIntersecting)
        .forEach(({ target }) => {
          seen.unobserve(target);
          if (target.id === "scatter") startScatter();
          else draw(target, data.pictures[target.dataset.picture]);
        }),
    { rootMargin: "400px" },
  );
  document.querySelectorAll(".chart").forEach((chart) => seen.observe(chart));
  // The rest when there is nothing else to do, so that the page is whole when it is printed.
  addEventListener("load", async () => {
    for (const chart of document.querySelectorAll(".chart[data-picture]")) {
      await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve));
      if (chart.childElementCount) continue;
      seen.unobserve(chart);
      await draw(chart, data.pictures[chart.dataset.picture]);
    }
  });

  // Question by question, any two cells.
  const scatterX = one("#scatter-x");
  const scatterY = one("#scatter-y");
  fill(scatterX, data.cells, data.baseline);
  fill(scatterY, data.cells, data.best);
  const startScatter = async () => {
    const [{ view }, known] = await Promise.all([draw(one("#scatter"), data.pictures.scatter), unpack(0)]);
    const show = () => {
      const [xs, ys] = [known.coverage[scatterX.value], known.coverage[scatterY.value]];
      const points = new Map();
      xs.forEach((x, n) => {
        const key = `${x} ${ys[n]}`;
        const point = points.get(key) ?? { x: x / 100, y: ys[n] / 100, n: 0, question: known.questions[n] };
        point.n += 1;
        points.set(key, point);
      });
      view.data("points", [...points.values()]).runAsync();
    };
    scatterX.addEventListener("change", show);
    scatterY.addEventListener("change", show);
    show();
  };

  // The table of all cells.
  const body = one("#table tbody");
  const rows = [...body.rows];
  const say = () => {
    one("#count").textContent = t("of", { count: rows.filter((row) => !row.hidden).length, total: rows.length });
  };
  one("#filter").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/u);
    rows.forEach((row) => {
      row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    });
    say();
  });
  say();
  const heads = [...document.querySelectorAll("#table thead th")];
  heads.forEach((head, column) => {
    head.querySelector("button")?.addEventListener("click", () => {
      // Figures begin with the largest, names with the first.
      const names = isNaN(rows.find((row) => row.cells[column].dataset.v !== "")?.cells[column].dataset.v);
      const down = head.getAttribute("aria-sort") !== "descending" && !(names && !head.hasAttribute("aria-sort"));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => row.cells[column].dataset.v;
      rows.sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        if (x === "" || y === "") return (x === "") - (y === "");
        const order = isNaN(x) || isNaN(y) ? x.localeCompare(y, undefined, { numeric: true }) : x - y;
        return down ? -order : order;
      });
      body.append(...rows);
    });
  });
  one("#csv").addEventListener("click", () => {
    // A cell that begins like a formula is kept from being one in a spreadsheet.
    const quoted = (text) => `"${(/^[=+\-@\t\r]/.test(text) && isNaN(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
    const names = heads.map((head) => head.dataset.column ?? "mark");
    const lines = rows
      .filter((row) => !row.hidden)
      .map((row) => [...row.cells].map((cell) => (cell.dataset.whole ? cell.textContent : cell.dataset.v)));
    const text = [names, ...lines].map((line) => line.map(quoted).join(",")).join("\r\n");
    const link = made("a");
    link.href = URL.createObjectURL(new Blob([`\ufeff${text}\r\n`], { type: "text/csv" }));
    link.download = "cells.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  });

  // Texts with marks. Offsets count code points, as the tables do.
  const marked = (segments, from, spans, edges, whole) => {
    const text = made("pre", "", "text");
    text.tabIndex = 0;
    let at = 0;
    for (const [offset, content] of segments) {
      if (offset > at) text.append(made("span", ` … ${count(offset - at)} … `, "gap"));
      const points = Array.from(content);
      const stops = new Set([0, points.length]);
      for (const place of [...spans.flat(), ...edges]) {
        const inside = place - from - offset;
        if (inside > 0 && inside < points.length) stops.add(inside);
      }
      const sorted = [...stops].sort((a, b) => a - b);
      sorted.slice(0, -1).forEach((start, n) => {
        const place = from + offset + start;
        if (edges.includes(place)) text.append(made("span", "│", "edge"));
        const inGold = spans.some(([low, high]) => low <= place && place < high);
        text.append(made(inGold ? "mark" : "span", points.slice(start, sorted[n + 1]).join("")));
      });
      at = offset + points.length;
    }
    if (whole > at) text.append(made("span", ` … ${count(whole - at)} …`, "gap"));
    return text;
  };

  // Single questions.
  const first = one("#first");
  const second = one("#second");
  const which = one("#which");
  const search = one("#search");
  const question = one("#question");
  fill(first, data.detailed.map((n) => data.cells[n]), 0);
  fill(second, data.detailed.map((n) => data.cells[n]), Math.min(1, data.detailed.length - 1));
  const bits = { complete: 1, answer_cut: 2, split_lost: 4, wrong_article: 8, wrong_place: 16 };
  let index = null;
  const fits = (n) => {
    const [a, b] = [index.flags[first.value][n], index.flags[second.value][n]];
    const [here, there] = [a & bits.complete, b & bits.complete];
    const of = { all: true, failed_here: !here && there, failed_there: here && !there, both_fail: !here && !there };
    const wanted = which.value in of ? of[which.value] : a & bits[which.value];
    return wanted && index.questions[n].toLowerCase().includes(search.value.toLowerCase());
  };
  const list = async () => {
    index ??= await unpack(1);
    const apart = (n) => Math.abs(index.coverage[first.value][n] - index.coverage[second.value][n]);
    const chosen = index.questions.map((_, n) => n).filter(fits).sort((a, b) => apart(b) - apart(a) || a - b);
    question.replaceChildren(
      ...chosen.map((n) => {
        const [a, b] = [first, second].map((cell) => index.coverage[cell.value][n]);
        return new Option(`${a} % / ${b} %  ${index.questions[n]}`, n);
      }),
    );
    question.selectedIndex = chosen.length ? 0 : -1;
    one("#question-count").textContent = t("count_questions", { count: chosen.length, total: index.questions.length });
    await show();
  };
  const column = (name, cell, asked) => {
    const side = made("div");
    side.append(made("h4", name));
    side.append(
      made("p", t("covered", { coverage: percent(cell.coverage), taken: cell.taken, used: count(cell.used), unit: data.unit })),
    );
    const spans = asked.gold.map((gold) => [gold.start, gold.end]);
    for (const gold of asked.gold) {
      side.append(made("p", `${t("answer")}${cell.cuts.length ? ` (${t("answer_cuts")})` : ""}`, "quiet"));
      side.append(marked(gold.text, gold.start, [], cell.cuts, gold.length));
    }
    if (!cell.hits.length) side.append(made("p", t("nothing")));
    cell.hits.forEach((hit, n) => {
      if (n === cell.taken) {
        side.append(made("hr", "", "ends"), made("p", t("budget_ends", { budget: data.budget }), "quiet"));
      }
      const right = hit.doc === asked.doc;
      const box = made("article", "", right ? "hit right" : "hit");
      const head = made("header");
      head.append(made("bdi", t("hit", { rank: hit.rank, doc: hit.doc })));
      if (right) head.append(made("strong", ` ${t("right_doc")}`));
      head.append(made("div", t("hit_more", { gain: percent(hit.gain), used: count(hit.used), score: hit.score }), "quiet"));
      box.append(head, marked(hit.text, hit.start ?? 0, right && hit.start !== null ? spans : [], [], hit.length));
      side.append(box);
    });
    if (cell.taken > cell.hits.length) {
      side.append(made("p", t("more_hits", { count: cell.taken - cell.hits.length }), "quiet"));
    }
    return side;
  };
  const show = async () => {
    const place = one("#one");
    if (question.selectedIndex < 0) {
      place.replaceChildren();
      return;
    }
    const n = Number(question.value);
    const part = await unpack(2 + Math.floor(n / data.each));
    if (Number(question.value) !== n || question.selectedIndex < 0) return; // another was chosen meanwhile
    const asked = part[n % data.each];
    const head = made("h3");
    head.append(made("bdi", asked.question));
    const where = made("p", `${t("in_article")} `, "quiet");
    where.append(made("bdi", `${asked.title} (${asked.doc})`));
    const two = made("div", "", "two");
    const sides = first.value === second.value ? [first] : [first, second];
    two.append(...sides.map((cell) => column(data.cells[data.detailed[cell.value]], asked.cells[cell.value], asked)));
    place.replaceChildren(head, where, two);
  };
  const step = (by) => {
    const next = question.selectedIndex + by;
    if (next >= 0 && next < question.options.length) {
      question.selectedIndex = next;
      show();
    }
  };
  one("#previous").addEventListener("click", () => step(-1));
  one("#next").addEventListener("click", () => step(1));
  question.addEventListener("change", show);
  [first, second, which].forEach((control) => control.addEventListener("change", list));
  search.addEventListener("input", list);

  // Tables and code that are cut.
  const splits = Object.keys(data.cut);
  fill(one("#cut-split"), splits, 0);
  const cuts = async () => {
    const place = one("#cut-list");
    const split = splits[one("#cut-split").value];
    if (!split || data.cut[split] === null) {
      place.replaceChildren(made("p", t("no_offsets")));
      return;
    }
    const blocks = (await unpack(data.cut[split])) ?? [];
    place.replaceChildren(
      ...(blocks.length ? [] : [made("p", t("none_cut"))]),
      ...blocks.map((block) => {
        const box = made("details", "", "block");
        const head = made("summary", `${t(block.kind)}, ${t("pieces", { count: block.cuts.length + 1 })}: `);
        head.append(made("bdi", block.doc));
        if (block.whole) head.append(made("span", ` (${t("whole_elsewhere")})`, "quiet"));
        box.append(head, marked(block.text, 0, [], block.cuts, block.length));
        return box;
      }),
    );
  };
  one("#cut-split").addEventListener("change", cuts);

  if (typeof DecompressionStream === "undefined") {
    one("#one").textContent = one("#cut-list").textContent = t("too_old");
  } else {
    const later = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        later.disconnect();
        list();
        cuts();
      }
    }, { rootMargin: "600px" });
    later.observe(one("#details"));
  }
})();
