import { isAllowed, isSubject, readIdentity } from './identity';

const ISSUER = 'https://id.example';

describe('The identity of a user', () => {
  test('has the name that the provider knows, else the address or the id', () => {
    const nameOf = (claims: object) => readIdentity(ISSUER, 'u-1', { ...claims }).name;
    const address = { email: 'ada@example.com', email_verified: true };

    expect(nameOf({ name: ' Ada ', preferred_username: 'ada', ...address })).toBe('Ada');
    expect(nameOf({ name: ' ', preferred_username: 'ada', ...address })).toBe('ada');
    expect(nameOf(address)).toBe('ada@example.com');
    expect(nameOf({ name: 7 })).toBe('u-1');
    expect(nameOf({ name: `\0${'ü'.repeat(200)}\ud800` })).toBe('ü'.repeat(100));
  });

  test('has an address in lower case, if it is proved', () => {
    const emailOf = (claims: object) => readIdentity(ISSUER, 'u-1', { ...claims }).email;

    expect(emailOf({ email: 'Ada@Example.COM', email_verified: true })).toBe('ada@example.com');
    for (const email_verified of [false, undefined, 'true', 1])
      expect(emailOf({ email: 'ada@example.com', email_verified })).toBeNull();
    for (const email of ['ada', 'a da@example.com', '@example.com', `${'x'.repeat(250)}@example.com`, 7])
      expect(emailOf({ email, email_verified: true })).toBeNull();
  });

  test('has an id of up to 255 characters of ASCII', () => {
    expect(['ada', 'x'.repeat(255), 'auth0|7'].every(isSubject)).toBe(true);
    expect(['', 'x'.repeat(256), 'grüße', 'a\nb'].some(isSubject)).toBe(false);
  });
});

describe('A user', () => {
  const email = 'ada@example.com';

  test('is allowed by the domain and by the claim, if the settings have them', () => {
    const open = { allowedDomains: [], requiredClaim: undefined };
    const ofDomain = { ...open, allowedDomains: ['example.com'] };
    const ofGroup = { ...open, requiredClaim: { name: 'groups', value: 'parley' } };

    expect(isAllowed({ email: null }, {}, open)).toBe(true);
    expect(isAllowed({ email }, {}, ofDomain)).toBe(true);
    expect(isAllowed({ email: null }, {}, ofDomain)).toBe(false);
    expect(isAllowed({ email: 'ada@sub.example.com' }, {}, ofDomain)).toBe(false);
    expect(isAllowed({ email }, { groups: ['a', 'parley'] }, ofGroup)).toBe(true);
    expect(isAllowed({ email }, { groups: 'parley' }, ofGroup)).toBe(true);
    expect(isAllowed({ email }, { groups: 'parley-guests' }, ofGroup)).toBe(false);
    expect(isAllowed({ email }, {}, ofGroup)).toBe(false);
  });

  test('has a claim that is a switch by the word true', () => {
    const settings = { allowedDomains: [], requiredClaim: { name: 'staff', value: 'true' } };

    expect(isAllowed({ email }, { staff: true }, settings)).toBe(true);
    expect(isAllowed({ email }, { staff: false }, settings)).toBe(false);
  });
});
