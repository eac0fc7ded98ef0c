import { api } from '../api/client';
import { texts } from '../texts';
import { SelectField } from '../ui/fields';
import { useCampaignNames } from './use-campaign-names';

const SHOWN = 100;

interface Props {
  /** The id of the chosen campaign; '': none. */
  value: string;
  /** The label of the choice of no campaign. */
  any: string;
  onChange: (id: string) => void;
}

/** A field that chooses one of the newest campaigns of the workspace. */
export function CampaignField({ value, any, onChange }: Props) {
  const campaigns = api.useQuery('get', '/api/campaign', { params: { query: { limit: SHOWN } } });
  const names = useCampaignNames(value ? [value] : [], true);
  const choices = (campaigns.data?.data ?? []).map(({ campaign_id, campaignName }) => ({
    value: campaign_id,
    label: campaignName,
  }));
  // The chosen campaign stays in the list, even if it is an old one or was deleted.
  if (value && !choices.some((choice) => choice.value === value)) {
    const label = names.get(value) ?? (campaigns.isPending ? texts.common.loading : value.slice(-4));
    choices.unshift({ value, label });
  }
  return (
    <SelectField
      label={texts.campaigns.one}
      choices={choices}
      any={any}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
