import { fillVariables, listPlaceholders, listVariables, MAX_FILLED_LENGTH } from './variables';

describe('A text with variables', () => {
  test('is filled with the values of its variables', () => {
    const variables = { name: 'Ada', company: 'Analytical Engines' };

    expect(fillVariables('Hello {{name}} of {{company}}, {{name}}!', variables)).toBe(
      'Hello Ada of Analytical Engines, Ada!',
    );
    expect(fillVariables('{{ name }}{{\tname\n}}', variables)).toBe('AdaAda');
    expect(fillVariables('{{{name}}}', variables)).toBe('{Ada}');
    expect(fillVariables('no variables', variables)).toBe('no variables');
    expect(fillVariables('', variables)).toBe('');
  });

  test('never becomes longer than its limit, however many placeholders it has', () => {
    const text = '{{name}}'.repeat(12_500);

    const filled = fillVariables(text, { name: 'x'.repeat(4_000) });

    expect(filled).toMatch(/^x{4000}/);
    expect(filled).toMatch(/\{\{name\}\}$/);
    expect(filled.length).toBeLessThanOrEqual(MAX_FILLED_LENGTH);
    expect(filled.length).toBeGreaterThan(MAX_FILLED_LENGTH - 4_000);
  });

  test('is filled with short values, however long it is', () => {
    const text = ' '.repeat(MAX_FILLED_LENGTH);

    expect(fillVariables(`${text}{{name}}`, { name: 'Ada' })).toBe(`${text}Ada`);
  });

  test('keeps names without a value as they are', () => {
    for (const text of [
      '{{unknown}}',
      '{{ unknown }}',
      '{{}}',
      '{name}',
      '{{na}me}}',
      '{{toString}}',
      '{{__proto__}}',
    ]) {
      expect(fillVariables(text, { name: 'Ada' })).toBe(text);
    }
  });

  test('can be filled with an empty value', () => {
    expect(fillVariables('[{{name}}]', { name: '' })).toBe('[]');
  });

  test('finds a name that looks the same, however Unicode writes it', () => {
    expect(fillVariables('{{größe}}'.normalize('NFD'), { größe: 'XL' })).toBe('XL');
    expect(fillVariables('{{größe}}', { ['größe'.normalize('NFD')]: 'XL' })).toBe('XL');
    expect(fillVariables('{{na\u200bme}}', { ['\u202aname\u202c']: 'Ada' })).toBe('Ada');
  });

  test('has another value for a name that is no variable, if there is one', () => {
    const toOther = (name: string) => (name === 'now' ? 'noon' : undefined);
    expect(fillVariables('{{now}} {{empty}} {{other}}', { empty: '' }, toOther)).toBe('noon  {{other}}');
  });

  test('accepts names of every kind', () => {
    expect(
      fillVariables('{{first name}} {{a.b}} {{$1}} {{名}}', {
        'first name': '1',
        'a.b': '2',
        $1: '3',
        名: '4',
      }),
    ).toBe('1 2 3 4');
    expect(fillVariables(`{{${'x'.repeat(200)}}}`, { ['x'.repeat(200)]: 'long' })).toBe('long');
  });

  test('does not fill the placeholders that a value contains', () => {
    const variables = {
      name: '{{secret}}',
      half: '{{sec',
      rest: 'ret}}',
      secret: 'hidden',
      dollar: "$& $1 $' $$",
    };

    expect(fillVariables('{{name}}', variables)).toBe('{{secret}}');
    expect(fillVariables('{{half}}{{rest}}', variables)).toBe('{{secret}}');
    expect(fillVariables('{{dollar}}', variables)).toBe("$& $1 $' $$");
  });

  test('has names that are the same with another kind of space', () => {
    expect(fillVariables('Hello {{ first\u00a0name }}', { 'first name': 'Ada' })).toBe('Hello Ada');
  });

  test('is filled, however many braces it has', () => {
    const braces = '{'.repeat(100_000);

    expect(fillVariables(`${braces}name}}`, { name: 'Ada' })).toBe(`${braces.slice(2)}Ada`);
    expect(fillVariables('{{a'.repeat(50_000), { a: 'b' })).toBe('{{a'.repeat(50_000));
  });
});

test('The placeholders of a text are its names without spaces', () => {
  expect(listPlaceholders('{{ a }} {{b c}}{{a}} {{}} {d}')).toEqual(['a', 'b c', 'a']);
});

test('The variables of a call have the name of the person, unless one has that name', () => {
  const variables = { day: 'Monday' };
  expect(listVariables({ customer_name: 'Ada', dynamic_variables: variables })).toEqual({
    customer_name: 'Ada',
    day: 'Monday',
  });
  expect(listVariables({ customer_name: '', dynamic_variables: variables })).toEqual(variables);
  const own = { customer_name: 'Countess' };
  expect(listVariables({ customer_name: 'Ada', dynamic_variables: own })).toEqual(own);
});
