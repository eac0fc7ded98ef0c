import { api } from '../api/client';
import { texts } from '../texts';
import { Notice } from '../ui/notice';

/** The provider that is reached with LLM_BASE_URL. Others have settings with their own names. */
const STANDARD = 'openai';
/** The name of a setting has no other characters before `_BASE_URL`. */
const SETTING = /^[a-z][a-z0-9]*$/;
/** An agent with these asks for the scripted assistant. */
const SCRIPTED = ['', 'local'];

const { noModel } = texts.runtimes;

/**
 * Says that no language model answers, and how to connect one.
 * @param provider of an agent; without it, any will do
 */
export function MissingModel({ provider = '' }: { provider?: string }) {
  const runtimes = api.useQuery('get', '/api/runtimes');
  const models = runtimes.data?.data.language_models;
  // A voice runtime that is a process of its own has settings of its own.
  if (!models) return null;
  const isScripted = SCRIPTED.includes(provider);
  if (isScripted ? models.length > 0 : models.includes(provider)) return null;
  const name = isScripted || !SETTING.test(provider) ? STANDARD : provider;
  const prefix = name === STANDARD ? 'LLM' : name.toUpperCase();
  const rename = isScripted || name === provider ? '' : name;
  return <Notice kind="info">{noModel(models.length === 0 ? '' : provider, prefix, rename)}</Notice>;
}
