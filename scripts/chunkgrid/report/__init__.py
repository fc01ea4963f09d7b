"""The report: what to decide, in pictures, tables and single questions."""
