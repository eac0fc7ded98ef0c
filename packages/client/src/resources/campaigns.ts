import { writeForm } from '../form';
import { List } from '../list';
import { checkPath } from '../path';
import type { Requests } from '../requests';
import type { FormFields, KeyedRequestOptions, ListFilter, RequestOptions, Schemas } from '../types';
import { unwrap } from '../unwrap';

type Campaign = Schemas['CampaignDetailDto'];
export type CampaignFields = FormFields<Schemas['CreateCampaignDto']>;

/** The name of a file that has none. */
const FILE_NAME = 'recipients.csv';

export class Campaigns {
  constructor(private readonly requests: Requests) {}

  list(
    filter: ListFilter<'listCampaigns'> = {},
    options?: RequestOptions,
  ): List<Schemas['ListedCampaignDto']> {
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) => api.GET('/api/campaign', { params: { query: { ...filter, page, limit } }, ...init }),
          options,
        ),
      ({ campaign_id }) => campaign_id,
      filter.limit,
    );
  }

  get(campaignId: string, options?: RequestOptions): Promise<Campaign> {
    const path = checkPath({ campaign_id: campaignId });
    return unwrap(
      this.requests.safe(
        (api, init) => api.GET('/api/campaign/{campaign_id}', { params: { path }, ...init }),
        options,
      ),
    );
  }

  async create(
    fields: CampaignFields,
    options?: KeyedRequestOptions,
  ): Promise<Schemas['CreatedCampaignDto']> {
    const { body } = await this.requests.keyed(
      (api, init) => api.POST('/api/campaign', { ...writeForm(fields, FILE_NAME), ...init }),
      options,
    );
    return body.data;
  }

  /** Checks the file and the fields of a campaign, without storing it or starting calls. */
  validate(fields: CampaignFields, options?: RequestOptions): Promise<Schemas['CampaignValidationDto']> {
    return unwrap(
      this.requests.safe(
        (api, init) => api.POST('/api/campaign/validate', { ...writeForm(fields, FILE_NAME), ...init }),
        options,
      ),
    );
  }

  update(
    campaignId: string,
    fields: Schemas['UpdateCampaignDto'],
    options?: RequestOptions,
  ): Promise<Campaign> {
    const path = checkPath({ campaign_id: campaignId });
    return unwrap(
      this.requests.once(
        (api, init) => api.PATCH('/api/campaign/{campaign_id}', { params: { path }, body: fields, ...init }),
        options,
      ),
    );
  }

  pause(campaignId: string, options?: RequestOptions): Promise<Campaign> {
    const path = checkPath({ campaign_id: campaignId });
    return unwrap(
      this.requests.once(
        (api, init) => api.POST('/api/campaign/{campaign_id}/pause', { params: { path }, ...init }),
        options,
      ),
    );
  }

  resume(campaignId: string, options?: RequestOptions): Promise<Campaign> {
    const path = checkPath({ campaign_id: campaignId });
    return unwrap(
      this.requests.once(
        (api, init) => api.POST('/api/campaign/{campaign_id}/resume', { params: { path }, ...init }),
        options,
      ),
    );
  }

  /** Ends a campaign for good. Calls that go on may end. */
  cancel(campaignId: string, options?: RequestOptions): Promise<Campaign> {
    const path = checkPath({ campaign_id: campaignId });
    return unwrap(
      this.requests.once(
        (api, init) => api.POST('/api/campaign/{campaign_id}/cancel', { params: { path }, ...init }),
        options,
      ),
    );
  }

  recipients(
    campaignId: string,
    filter: ListFilter<'listRecipients'> = {},
    options?: RequestOptions,
  ): List<Schemas['RecipientDto']> {
    const path = checkPath({ campaign_id: campaignId });
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) =>
            api.GET('/api/campaign/{campaign_id}/recipients', {
              params: { path, query: { ...filter, page, limit } },
              ...init,
            }),
          options,
        ),
      ({ phone_number }) => phone_number,
      filter.limit,
    );
  }

  /** Lists the events of the campaign, the newest first. */
  log(
    campaignId: string,
    filter: ListFilter<'listCampaignLog'> = {},
    options?: RequestOptions,
  ): List<Schemas['CampaignLogEntryDto']> {
    const path = checkPath({ campaign_id: campaignId });
    return new List(
      (page, limit) =>
        this.requests.safe(
          (api, init) =>
            api.GET('/api/campaign/{campaign_id}/log', {
              params: { path, query: { ...filter, page, limit } },
              ...init,
            }),
          options,
        ),
      ({ at, event, data, text }) => JSON.stringify([at, event, text, data]),
      filter.limit,
    );
  }
}
