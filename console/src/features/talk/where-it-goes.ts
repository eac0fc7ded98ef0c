import type { Schemas } from '../../api/client';
import { providerName } from '../../texts/providers';
import { texts } from '../../texts';
import type { Service } from './protocol/frames';
import type { Way } from './session';

type Agent = Pick<Schemas['AgentDto'], 'type' | 'llmConfig' | 'aiModel' | 'sttConfig' | 'voiceConfig'>;

const labels = texts.talk.privacy;

/** The runtime itself, by the names that an agent may have for it. */
const OWN = ['', 'local', 'moonshine', 'flite'];
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

const isOwn = ({ provider, host = '' }: Service) => OWN.includes(provider) || LOOPBACK.test(host);

const toSentence = ({ part, provider, host, fallback }: Service) => {
  const service = host ? labels.at(providerName(provider), host) : providerName(provider);
  return (fallback ? labels.inReserve : labels)[part](service);
};

/** Names the services that the agent asks for. A runtime without a key for a service does its work itself. */
export function configuredSentences({ type, llmConfig, aiModel, sttConfig, voiceConfig }: Agent): string[] {
  const language: Service = { part: 'language', provider: llmConfig.provider || aiModel.provider || '' };
  const spoken: Service[] = [
    { part: 'recognition', provider: sttConfig.provider ?? '' },
    { part: 'synthesis', provider: voiceConfig.provider ?? '' },
  ];
  const named = (type === 'chat' ? [language] : [...spoken, language]).filter((service) => !isOwn(service));
  return named.length === 0
    ? [labels.noneConfigured]
    : [labels.configured, ...named.map(({ part, provider }) => labels.planned[part](providerName(provider)))];
}

/**
 * Says who hears and reads the call.
 * @param named those that the runtime names; undefined: it says nothing
 * @param host where the runtime is
 */
export function actualSentences(named: Service[] | undefined, way: Way, host: string): string[] {
  if (!named) return [labels.unknown(host)];
  // Nobody hears or speaks in writing, also if the agent could.
  const services = named.filter(({ part }) => way === 'speaking' || part === 'language');
  const others = services.filter((service) => !isOwn(service));
  const hearing = services.find(({ part }) => part === 'recognition');
  const own = hearing && isOwn(hearing);
  return [
    ...(own ? [LOOPBACK.test(host) ? labels.voiceStays : labels.voiceGoesTo(host)] : []),
    ...(others.length === 0 ? [labels.alone] : others.map(toSentence)),
  ];
}
