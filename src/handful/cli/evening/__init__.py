"""`handful play TABLE`: a whole evening at a shared table, on one screen that is passed around.

No rule lives here.  What is shown comes from `view`, `legal_actions`, `odds`, `luck` and `export`
of the table, by the eyes of the seat that has the screen; what is done is a command to the table,
kept as soon as it is obeyed.

    opening     which table, and how a new one is made
    evening     the conversation: one typed line after the other
    words       every word with its help; the modules named like it say what each word does
    phrase      a typed line taken apart; names: what its names mean
    telling     events in sentences; showing, show_fight, show_roll: the table as a seat sees it
    deciding    what a roll asks, and what was typed as an answer
"""
