"""Code generation: emits rules as Python functions, for exact odds (`solver.compiled`)."""
