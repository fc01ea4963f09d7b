"""What holds for all tests."""

import os

from hypothesis import settings

# A loaded machine is no fault of the code; the same code is asked the same of each time, unless new input is sought:
# HYPOTHESIS_PROFILE=seek.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("seek", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
