const toLetters = (said: string) => said.toLowerCase().replaceAll(/[^a-z]/g, '');
const wordCount = (said: string) => said.trim().split(/\s+/).length;

/** The longest sentence, in words, that is a goodbye if it contains one. */
const FEW_WORDS = 4;

/** A goodbye at the end of a turn, or in a short one. The recogniser writes "Good-by", "Good bye." and "Bye bye". */
export function isGoodbye(said: string): boolean {
  const ends =
    /(goodbye?|byebye)(thankyou|thanks|then|now)*$/.test(toLetters(said)) || /\bbye\W*$/i.test(said);
  return ends || (wordCount(said) <= FEW_WORDS && /\b(good[\s-]?bye|good-?by|bye)\b/i.test(said));
}

/** Nothing more is wanted. Only an answer to "Is there anything else?" is meant so. */
export const isNothingElse = (said: string): boolean =>
  /^(okay|ok|well|no|thankyou|thanks|andso)*(thatsall|thatisall|nothingelse|nothing|nothanks|nothankyou|no)(thankyou|thanks|then)*$/.test(
    toLetters(said),
  );

const NO_MORE_CALLS = [
  /\b(don['’]?t|do not|never)( ever)? call( me| us| here| this number)? again\b/i,
  /\b(don['’]?t|do not)( ever)? call( me| us| here| this number)? any ?more\b/i,
  /(?<!\bdid you )\b(stop|quit) calling (me|us|here|this number)\b/i,
  /\b(take|remove|delete) (me|us|my number|our number|this number) (off|from) (your|the|this|that)( (call(ing)?|phone|contact))? list\b/i,
  /\b(put|add) (me|us|my number|our number|this number) (on|to) (your|the) do[ -]not[ -]call list\b/i,
];

/** Whether the person wants no more calls. Only clear words count, because the number is never called again. */
export const isOptOut = (said: string): boolean => NO_MORE_CALLS.some((words) => words.test(said));

/** Whether the person agrees. */
export const isYes = (said: string): boolean =>
  /^\W*(yes|yeah|yep|yup|sure|right|correct|exactly|okay|ok|please do|that'?s right|that is right|that'?s correct|that is correct)\b/i.test(
    said,
  );

/** Whether the person says that something is wrong. */
export const isNo = (said: string): boolean =>
  /^\W*(no|nope|nah|not|wrong|incorrect|that'?s not|that is not|that'?s wrong|that is wrong|it'?s not|it is not|it isn'?t)\b/i.test(
    said,
  );
