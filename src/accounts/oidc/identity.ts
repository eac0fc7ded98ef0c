import type { OidcConfig } from '../../config';

/** The user of an identity provider, as its claims describe it. */
export interface Identity {
  issuer: string;
  subject: string;
  /** A name for people. */
  name: string;
  /** The address that the user has proved, in lower case. null: none */
  email: string | null;
}

type Claims = Record<string, unknown>;

/** The longest name that a person has here. */
const MAX_NAME = 100;

/** Whether the issuer may give such an id (OpenID Connect Core, 2). */
export const isSubject = (subject: string) => /^[\x20-\x7e]{1,255}$/.test(subject);

const readText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** The database stores neither NUL nor halves of surrogate pairs. */
const toName = (text: string) =>
  [...text.toWellFormed().replaceAll('\0', '').trim()].slice(0, MAX_NAME).join('');

/** An address counts only if the provider says that the user has proved it. */
function readEmail({ email, email_verified }: Claims): string | null {
  const address = readText(email).toLowerCase();
  return email_verified === true && /^[^\s@]+@[^\s@]+$/.test(address) && address.length <= 254
    ? address
    : null;
}

/** @param claims the claims of a valid ID token, with those of the UserInfo endpoint */
export function readIdentity(issuer: string, subject: string, claims: Claims): Identity {
  const email = readEmail(claims);
  const names = [claims.name, claims.preferred_username, email, subject].map(readText).map(toName);
  return { issuer, subject, name: names.find((name) => name !== '') ?? 'Unnamed', email };
}

const hasValue = (claim: unknown, value: string): boolean =>
  Array.isArray(claim)
    ? claim.some((each) => each === value)
    : claim === value || (claim === true && value === 'true');

/** Whether the settings allow a user with these claims to sign in. */
export function isAllowed(
  { email }: Pick<Identity, 'email'>,
  claims: Claims,
  { allowedDomains, requiredClaim }: Pick<OidcConfig, 'allowedDomains' | 'requiredClaim'>,
): boolean {
  const domain = email?.split('@')[1];
  if (allowedDomains.length > 0 && (domain === undefined || !allowedDomains.includes(domain))) return false;
  return requiredClaim === undefined || hasValue(claims[requiredClaim.name], requiredClaim.value);
}
