// The words of what can be wrong with orders written as lines of text.
// Written by `python -m tests.board.written`; not to be edited.

export const LINE_CODES = {
  "line/too-long": [
    "At most {lines} lines of at most {length} characters.",
    "More, or longer ones.",
    "Give only the lines with orders.",
  ],
  "line/not-utf-8": [
    "A text file with one order a line.",
    "A file of another kind.",
    "Save the lines as plain text (UTF-8).",
  ],
  "line/no-verb": [
    "An order: {words}.",
    "No word that could be one.",
    "Begin the line with one of these words.",
  ],
  "line/unknown-verb": [
    "An order, such as {words}.",
    "The word {word}.",
    "Correct the word.",
  ],
  "line/missing": [
    "More words: {fields}.",
    "The line ends here.",
    "Add what is missing, in this order.",
  ],
  "line/no-value": [
    "A word for {field}.",
    "None.",
    "Add it here.",
  ],
  "line/unknown-field": [
    "One of the names {words}.",
    "The word {word}.",
    "Correct the word.",
  ],
  "line/too-much": [
    "The end of the order.",
    "One word more: {word}.",
    "Take it away, or begin a new line.",
  ],
  "line/not-a-number": [
    "A whole number for {field}.",
    "The word {word}.",
    "Write it in digits.",
  ],
  "line/not-yes-or-no": [
    "“yes” or “no” for {field}.",
    "The word {word}.",
    "Correct the word.",
  ],
  "line/unknown-word": [
    "One of {words}.",
    "The word {word}.",
    "Correct the word.",
  ],
  "line/no-bracket": [
    "What belongs to {field}, in round brackets.",
    "No opening bracket.",
    "Put it in brackets: its kind first, then what else belongs to it.",
  ],
  "line/unclosed": [
    "A closing bracket: {sign}",
    "The line ends here.",
    "Add the bracket.",
  ],
  "line/open-quote": [
    "A closing quotation mark.",
    "The line ends here.",
    "Add it, or take the opening one away.",
  ],
  "line/escape": [
    "After a backslash one of the letters n, t, r, b, f, a backslash, a quotation mark, or u and four digits.",
    "Something else.",
    "Write two backslashes where you mean one.",
  ],
  "line/how-many": [
    "{n} values for {field}.",
    "{found}.",
    "Write as many, with commas between them.",
  ],
  "line/too-deep": [
    "At most {depth} brackets in each other.",
    "More.",
    "Write the order as a move file, or let `pbem fill` write it.",
  ],
  "line/no-check-word": [
    "A check word at the end of this line, since other lines have one.",
    "None: the line, or its end, was lost or changed on its way.",
    "Ask for the line again. If you write the lines yourself, take all check words away.",
  ],
  "line/check-word": [
    "A line that fits its check word, as do all before it.",
    "The line “{line}” with the word {word}: this line was changed, or one before it was lost or moved.",
    "Compare it with the line as it was sent. If you changed it on purpose, take all check words away.",
  ],
  "line/no-orders": [
    "At least one line with an order.",
    "None.",
    "Write an order a line, such as the ones in the manual of the game under docs/.",
  ],
};
