export type { Download } from './download';
export { type FieldError, ParleyError, type ParleyErrorCode } from './errors';
export type { List, Page } from './list';
export type { ParleyOptions } from './options';
export { Parley } from './parley';
export type { CampaignFields } from './resources/campaigns';
export type {
  FileInput,
  Filter,
  FormFields,
  KeyedRequestOptions,
  ListFilter,
  Query,
  RequestOptions,
  Schemas,
} from './types';
export { verifyWebhook, type WebhookEvent, type WebhookHeaders } from './verify-webhook';
export type { WaitOptions } from './wait-for-end';
