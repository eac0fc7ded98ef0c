import { adoptText } from './texts';

const OWN = { renamed: new Map([['clock', 'now']]), time: /^"now"/, foreign: /^system__/ };

describe('A text of another platform', () => {
  test('has the variables of Parley, and says what nothing fills', () => {
    const text =
      '{{ clock }} {{"now" | date}} {{name}}, {{ first name }} {{system__id}} {{a | upcase}}\r\n{"a": {{}}}';
    expect(adoptText(text, OWN)).toEqual({
      text: '{{now}} {{now}} {{name}}, {{ first name }} {{system__id}} {{a | upcase}}\n{"a": {{}}}',
      variables: ['name', 'first name'],
      unfilled: ['{{system__id}}', '{{a | upcase}}'],
    });
  });
});
