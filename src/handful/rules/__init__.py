"""The rule language: from TOML sources to compiled rulesets.

    source, document, load_*    read TOML, check its structure, collect errors with positions
    compiler, *_compiler        compile rule sources to instructions (program) and expression trees
    analysis, type_checker, …   static analysis of the whole ruleset, with shapes in place of values
    program, operators          run instructions on values; play and odds share them
    check_parser, vocabulary    parse a check as a person types it

Pure: nothing here reads files, rolls dice or knows a particular game.
"""
