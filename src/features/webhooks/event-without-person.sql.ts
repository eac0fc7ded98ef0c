/** SQL: the data of an event without what says something about the person. It can be applied again. */
export const withoutPerson = (data: string) => `
  (${data} || jsonb_build_object('to_number', NULL, 'external_id', '', 'metadata',
     COALESCE(${data}->'metadata', '{}') || '{"summary": "", "process_compliance": ""}')
   || CASE WHEN ${data} ? 'from_number' THEN '{"from_number": null}'::jsonb ELSE '{}' END)`;
