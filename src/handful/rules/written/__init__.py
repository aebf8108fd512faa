"""Rules written out as Python functions: shared by whole rolls (`roll`) and odds (`solver`)."""
