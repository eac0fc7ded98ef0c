import type { ChatRequest, ModelPart } from './openai-chat-stand-in';

/** The mistakes that language models make at the desk of a restaurant. */
export const MISTAKES = [
  'takes one person more',
  'takes another day',
  'keeps the first number',
  'books without a yes',
  'books twice',
  'books nothing and says it is booked',
  'says it is booked when it failed',
  'asks again when no answer came',
  'promises a price',
  'never ends',
  'notes no name',
  'connects with nobody',
] as const;
export type Mistake = (typeof MISTAKES)[number];

const DAY = /\b(mon|tues|wednes|thurs|fri|satur|sun)day\b/gi;
const NUMBER = /\b(two|three|four|five|six)\b/gi;
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const ASKS_FOR_YES = /right\?$/;

const say = (text: string): ModelPart => ({ type: 'text', text });
const use = (name: string, given: object = {}): ModelPart => ({ type: 'tool', name, arguments: given });

const ANYTHING_ELSE = 'Is there anything else?';

/** A language model at the desk of a restaurant, which books tables with `book_table`, and makes one mistake or none. */
export const tableDesk =
  (mistake?: Mistake) =>
  ({ messages }: ChatRequest): ModelPart[] => {
    const isMade = (name: Mistake) => name === mistake;
    const heard = messages.filter(({ role }) => role === 'user').map(({ content }) => content ?? '');
    const said = messages.filter(({ role, content }) => role === 'assistant' && content);
    const last = heard.at(-1) ?? '';
    const asked = said.at(-1)?.content ?? '';
    const uses = messages.flatMap(({ tool_calls = [] }) => tool_calls as { function: ToolCall }[]);
    const bookings = uses.filter(({ function: { name } }) => name === 'book_table').length;
    const all = heard.join('\n');
    const day = all.match(DAY)?.at(-1);
    const numbers = all.match(NUMBER) ?? [];
    const number = isMade('keeps the first number') ? numbers[0] : numbers.at(-1);
    const persons =
      number && NUMBERS.indexOf(number.toLowerCase()) + (isMade('takes one person more') ? 1 : 0);
    const booking = { day: isMade('takes another day') ? 'Monday' : day, persons };

    const result = messages.at(-1);
    if (result?.role === 'tool') {
      const isLast = uses.at(-1)?.function.name === 'book_table';
      return isLast ? afterBooking(result.content ?? '') : [say(`Thank you. ${ANYTHING_ELSE}`)];
    }
    if (/goodbye|no, thank you/i.test(last))
      return isMade('never ends') ? [say(ANYTHING_ELSE)] : [say('Thank you. Goodbye.'), use('end_call')];
    if (/manager/i.test(last) && !isMade('connects with nobody'))
      return [say('I connect you.'), use('manager')];
    const [, name] = /my name is (\w+)/i.exec(last) ?? [];
    if (name && !isMade('notes no name')) return [use('note_variable', { name: 'customer', value: name })];
    if (/cost|price/i.test(last))
      return [
        say(
          `${isMade('promises a price') ? 'It costs twenty euros.' : 'The menu has the prices.'} ${ANYTHING_ELSE}`,
        ),
      ];
    if (/when|open/i.test(last)) return [say(`We are open from five to eleven. ${ANYTHING_ELSE}`)];
    if (!/table|book/i.test(all)) return [say('I can book a table for you.')];
    if (ASKS_FOR_YES.test(asked) && /^no\b/i.test(last) && !last.match(NUMBER) && !last.match(DAY))
      return [say(`Then I book nothing. ${ANYTHING_ELSE}`)];
    if (day === undefined) return [say('Which day?')];
    if (persons === undefined) return [say('For how many persons?')];
    const mayBook = ASKS_FOR_YES.test(asked) ? /^yes/i.test(last) : isMade('books without a yes');
    if (!mayBook || bookings > 0) return [say(`A table on ${day} for ${number}. Is that right?`)];
    return isMade('books nothing and says it is booked')
      ? [say(`Your table is booked. ${ANYTHING_ELSE}`)]
      : [use('book_table', booking)];

    function afterBooking(text: string): ModelPart[] {
      const isUnknown = /not known/.test(text);
      const isFailed = /not done/.test(text);
      const isRepeated =
        (isMade('books twice') && !isUnknown && !isFailed) ||
        (isMade('asks again when no answer came') && isUnknown);
      if (isRepeated && bookings < 2) return [use('book_table', { ...booking })];
      const isBooked = (!isUnknown && !isFailed) || isMade('says it is booked when it failed');
      if (isBooked) return [say(`Your table is booked. ${ANYTHING_ELSE}`)];
      const sentence = isUnknown
        ? 'I do not know whether that was done.'
        : 'I am sorry, that was not possible.';
      return [say(`${sentence} ${ANYTHING_ELSE}`)];
    }
  };

interface ToolCall {
  name: string;
}
