import { texts } from '../../../texts';
import { Table } from '../../../ui/table/table';
import type { ComparedFact } from './compared-facts';
import { pairFacts } from './pair-facts';
import styles from './compare.module.css';

const labels = texts.compare;

/** The facts of two calls. Those that differ are marked. */
export const FactsTable = ({ left, right }: { left: ComparedFact[]; right: ComparedFact[] }) => (
  <Table
    caption={labels.facts}
    rows={pairFacts(left, right)}
    rowKey={({ name }) => name}
    columns={[
      {
        key: 'name',
        header: labels.fact,
        cell: ({ name, isSame }) => (
          <span className={isSame ? undefined : styles.differs}>
            {name}
            {!isSame && (
              <>
                {' '}
                <span aria-hidden="true">≠</span>
                <span className="visually-hidden">{labels.differs}</span>
              </>
            )}
          </span>
        ),
      },
      { key: 'left', header: labels.left, cell: ({ left: value }) => value ?? texts.common.none },
      { key: 'right', header: labels.right, cell: ({ right: value }) => value ?? texts.common.none },
    ]}
  />
);
