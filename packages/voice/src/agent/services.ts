import type { Plan } from './plan';

/** A part of the work, and who does it: `local` is this runtime. Clients show it to the person. */
export interface Service {
  part: 'recognition' | 'language' | 'synthesis';
  provider: string;
  /** The host of the server of another provider. */
  host?: string;
  /** It goes on if those before it fail. */
  fallback?: true;
}

type Addresses = Readonly<Record<string, { baseUrl: string } | undefined>>;

/**
 * Lists the services that hear and read a conversation, after some fell back to this machine.
 * @param models the addresses of language models by provider
 * @param accounts the addresses of the providers of speech
 */
export function listServices(
  plan: Plan,
  models: ReadonlyMap<string, { baseUrl: string }>,
  accounts: Addresses = {},
): Service[] {
  const find = (part: Service['part'], { provider }: { provider: string }): Service => {
    const address = (part === 'language' ? models.get(provider) : undefined) ?? accounts[provider];
    // Without an address, the scripted assistant answers.
    if (!address) return { part, provider: part === 'language' ? 'local' : provider };
    return { part, provider, host: new URL(address.baseUrl).hostname };
  };
  const list = (part: Service['part'], own: { provider: string }): Service[] => [
    find(part, own),
    ...plan.followers[part].map((follower) => ({ ...find(part, follower), fallback: true as const })),
  ];
  const language = list('language', plan.language);
  if (!plan.spoken) return language;
  return [...list('recognition', plan.recognition), ...language, ...list('synthesis', plan.voice)];
}
