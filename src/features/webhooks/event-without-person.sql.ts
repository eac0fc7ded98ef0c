/** The personal fields of events, without their content. Of `metadata` the outcome remains. */
const EMPTY = JSON.stringify({
  ...{ to_number: null, from_number: null, phone_number: null, external_id: '' },
  ...{ metadata: { summary: '', process_compliance: '' }, analysis: null, text: '', recording_url: null },
});

/** SQL: the data of an event without what says something about the person. It can be applied again. */
export const withoutPerson = (data: string) => `
  (${data} || COALESCE(
     (SELECT jsonb_object_agg(key, CASE key WHEN 'metadata' THEN ${data}->key || value ELSE value END)
      FROM jsonb_each('${EMPTY}') WHERE ${data} ? key), '{}'))`;
