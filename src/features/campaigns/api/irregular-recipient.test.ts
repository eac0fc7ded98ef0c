import fc from 'fast-check';
import { isIrregular } from '../recipients/irregular-recipient';

const NUMBER = '+12025550147';

describe('isIrregular', () => {
  test.each([
    ['Johann Johnson', true],
    ['Ana Banana', true],
    ['MARIA Rosemaria', true],
    ['traß traẞ', true],
    ['ΣΑΣ σας', true],
    ['\u212Aim kim', true],
    ['İia iia', true],
    ['😀ab 😀ab', true],
    ['\nab \nab', true],
    ['Room 1', true],
    ['a+b', true],
    ['anana', false],
    ['😀a😀a', false],
    ['Ada Lovelace', false],
    ['', false],
  ])('of a recipient with the name %j is %j', (name, expected) => {
    expect(isIrregular(NUMBER, name)).toBe(expected);
  });

  test('is true of a recipient whose number has a part twice', () => {
    expect(isIrregular('+15551235551', 'Ada')).toBe(true);
  });

  test('is true for each name that has a part of three or more characters twice', () => {
    const unit = fc.constantFrom(...'abAB ßẞΣςσſé😀\n');
    const text = fc.string({ unit, maxLength: 6 });
    fc.assert(
      fc.property(
        text,
        fc.string({ unit, minLength: 3, maxLength: 5 }),
        text,
        text,
        (before, part, between, after) => {
          const again = part.replace(/[a-zé]/g, (letter) => letter.toUpperCase());
          expect(isIrregular(NUMBER, before + part + between + again + after)).toBe(true);
        },
      ),
    );
  });
});
