import type { Plan } from './plan';

/** A part of the work, and who does it: `local` is this runtime. Clients show it to the person. */
export interface Service {
  part: 'recognition' | 'language' | 'synthesis';
  provider: string;
  /** The host of the server of another provider. */
  host?: string;
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
  const withHost = (part: Service['part'], provider: string): Service => {
    const account = accounts[provider];
    return { part, provider, ...(account && { host: new URL(account.baseUrl).hostname }) };
  };
  const { provider } = plan.language;
  const model = models.get(provider) ?? accounts[provider];
  const language: Service = model
    ? { part: 'language', provider, host: new URL(model.baseUrl).hostname }
    : { part: 'language', provider: 'local' };
  if (!plan.spoken) return [language];
  return [
    withHost('recognition', plan.recognition.provider),
    language,
    withHost('synthesis', plan.voice.provider),
  ];
}
