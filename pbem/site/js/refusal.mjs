// Why something was not accepted: a code of the protocol's tables, and the arguments of its sentences.
// The sentences themselves are made elsewhere: nothing in these modules speaks a language.

export class Refused extends Error {
  constructor(code, args = {}) {
    super(code);
    this.code = code;
    this.args = args;
  }
}

export const refuse = (code, args) => new Refused(code, args);

// A stranger's words, short and harmless enough to be quoted.
export const quoted = (text) =>
  Array.from(text)
    .slice(0, 80)
    .map((letter) => {
      const code = letter.codePointAt(0);
      if (code < 0x80) return letter;
      if (code < 0x100) return `\\x${code.toString(16)}`;
      return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
    })
    .join("");
