import { MAX_OUTCOMES, OTHER_OUTCOMES } from '../plan/campaign-outcomes';

/**
 * SQL: `campaigns.retrying_outcomes` after a change. A name that is counted is never removed, so that the same outcome
 * is added to and taken from the same name.
 * @param change a CTE with campaign_id, outcome and count, which may be negative
 */
export const changedRetryingOutcomes = (change: string) => `
  (SELECT COALESCE(jsonb_object_agg(name, count), '{}') FROM (
     SELECT name, sum(count)::int AS count FROM (
       SELECT key AS name, value::int AS count FROM jsonb_each_text(campaigns.retrying_outcomes)
       UNION ALL
       SELECT CASE WHEN is_known OR known.names + place <= ${MAX_OUTCOMES} THEN outcome ELSE '${OTHER_OUTCOMES}' END, count
       FROM (
         SELECT outcome, count, is_known, row_number() OVER (PARTITION BY is_known ORDER BY outcome) AS place
         FROM ${change} CROSS JOIN LATERAL (SELECT campaigns.retrying_outcomes ? outcome AS is_known) AS looked_up
         WHERE campaign_id = campaigns.id
       ) AS changed CROSS JOIN (SELECT count(*) AS names FROM jsonb_object_keys(campaigns.retrying_outcomes)) AS known
     ) AS part GROUP BY name
   ) AS summed)`;
