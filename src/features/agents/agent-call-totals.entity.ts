import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { Agent } from './agent.entity';

/**
 * Sums over the calls of an agent that have ended; the statement that ends a call writes them. They are not in the
 * agent's row, which the requests of clients lock for longer than a call may wait.
 */
@Entity('agent_call_totals')
export class AgentCallTotals {
  @PrimaryColumn('uuid') agentId: string;

  @OneToOne(() => Agent, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'agent_id' })
  agent: Agent;

  @Column('integer') calls: number;

  @Column('integer') successful: number;

  /** The connected seconds of the successful calls. */
  @Column('bigint') seconds: string;

  @Column({ type: 'timestamptz', precision: 3 }) lastEndedAt: Date;
}
