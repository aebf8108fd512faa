"""`handful play`: a REPL for a table in a file or in memory, on one shared screen.

No rule lives here.  Everything shown comes from `view`, `legal_actions`, `odds`, `luck` and
`export` of the table, for the seat at the screen; every change is a command to the table, saved
as soon as it is accepted.

    file_tables, memory_tables    open a table and run the REPL
    repl, dispatch                read a line, decide which command it is
    commands, help, examples      the list of commands and their help
    characters, checks, fights, house_rules, log_commands, requests, rolls, rulings
                                  the commands, by topic
    parsing, names, multiword_names, sheet_access
                                  split a line and resolve the names in it
    parameters, menu, sheet_names ask for the parameters of a check
    decisions                     questions of a roll, and typed answers
    event_text, throw_text, show_table, show_fight, show_roll, phrases
                                  events and the table as text, as one seat sees them
"""
