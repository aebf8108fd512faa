"""Rules written out as Python functions, for odds (`solver.written`)."""
