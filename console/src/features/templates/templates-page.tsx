import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { Button } from '../../ui/button';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/table/pager';
import { type Column, Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { texts } from '../../texts';
import { CreateTemplateDialog } from './create-template-dialog';
import styles from './templates.module.css';
import { readRowsPerPage } from '../../ui/table/rows-per-page';
import { useCreateRequest } from '../../ui/use-create-request';

type Template = Schemas['PromptTemplateSummaryDto'];

const { columns: headers } = texts.templates;

const COLUMNS: Column<Template>[] = [
  { key: 'name', header: headers.name, cell: ({ name }) => name },
  { key: 'owner', header: headers.owner, cell: ({ owner }) => texts.templates.owners[owner], phone: 'aside' },
  {
    key: 'category',
    header: headers.category,
    cell: ({ category }) => [category].flat().join(', '),
    isMinor: true,
    phone: 'rest',
  },
  {
    key: 'greeting',
    header: headers.greeting,
    cell: ({ greeting }) => <span className={styles.greeting}>{greeting}</span>,
    isMinor: true,
  },
  { key: 'created', header: headers.created, cell: ({ createdAt }) => <TimeText at={createdAt} /> },
];

export default function TemplatesPage() {
  const [parameters, setParameters] = useQueryParameters();
  const [isCreating, setCreating] = useState(false);
  useCreateRequest('administer', () => setCreating(true));
  const query = { page: Number(parameters.get('page') ?? 1), limit: readRowsPerPage() };
  const templates = api.useQuery(
    'get',
    '/api/prompt-templates',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Page
      title={texts.templates.title}
      actions={
        <Button needs="administer" variant="primary" onClick={() => setCreating(true)}>
          {texts.templates.create}
        </Button>
      }
    >
      <Loaded query={templates}>
        {({ data, pagination }) => (
          <>
            <Table
              caption={texts.templates.title}
              columns={COLUMNS}
              rows={data}
              rowKey={({ template_id }) => template_id}
              rowHref={({ template_id }) => `/templates/${template_id}`}
              empty={texts.templates.empty}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
      {isCreating && <CreateTemplateDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
