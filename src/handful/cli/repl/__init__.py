"""`handful play`: a table in the terminal, in a file or in memory, on one screen.

No rule lives here.  What is shown comes from `view`, `legal_actions`, `odds`, `luck` and `export`
of the table, by the eyes of the seat that has the screen; what is done is a command to the table,
kept as soon as it is obeyed.

    opening     tables in files; memory: tables in memory
    repl        the conversation: one typed line after the other; lines: what a line means
    words       every word; help and examples: its help; other modules say what each word does
    checks      the check at hand; parameters: asks for what it needs
    phrase      a typed line taken apart; names: what its names mean
    telling     events in sentences; showing, show_fight, show_roll: the table as a seat sees it
    deciding    what a roll asks, and what was typed as an answer
"""
