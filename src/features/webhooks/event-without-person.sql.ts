import { EVENT_TYPE } from './event-types';

/** The personal fields of events, without their content. Of `metadata` the outcome remains. */
const EMPTY = JSON.stringify({
  ...{ to_number: null, from_number: null, phone_number: null, external_id: '' },
  ...{ metadata: { summary: '', process_compliance: '' }, analysis: null, text: '', recording_url: null },
});

/**
 * SQL: a statement that takes the addresses of recordings out of the events of calls.
 * @param ids SQL: a list of the ids of calls
 */
export const forgetRecordings = (ids: string) => `
  UPDATE webhook_events SET data = data || '{"recording_url": null}'
  WHERE conversation_id = ANY (${ids}) AND type = '${EVENT_TYPE['call.recorded']}'`;

/** SQL: the data of an event without what says something about the person. It can be applied again. */
export const withoutPerson = (data: string) => `
  (${data} || COALESCE(
     (SELECT jsonb_object_agg(key, CASE key WHEN 'metadata' THEN ${data}->key || value ELSE value END)
      FROM jsonb_each('${EMPTY}') WHERE ${data} ? key), '{}'))`;
