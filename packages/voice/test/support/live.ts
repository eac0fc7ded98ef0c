/** The services that the tests may reach, because somebody has an account with them. */
const named = (process.env.VOICE_LIVE_TESTS ?? '').split(',').map((name) => name.trim());

export const isLive = (service: string) => named.includes(service);

/** A setting that the tests of a service need. @throws Error that names it */
export function liveSetting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`VOICE_LIVE_TESTS needs the setting ${name}`);
}
