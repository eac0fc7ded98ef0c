import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToOne,
  PrimaryColumn,
} from 'typeorm';
import { Workspace } from '../../../accounts/workspaces/workspace.entity';
import { CallRecording } from '../runtime-reports/call-recording.entity';

/** The content types of recordings. */
export const RECORDING_TYPES = ['audio/wav', 'audio/mpeg'] as const;
export type RecordingType = (typeof RECORDING_TYPES)[number];

/**
 * The file of a recording. Its row is written before the file and deleted after it. When the recording is deleted,
 * for whatever reason, the row has none any more, and the file is removed.
 */
@Entity('recording_files')
@Check('recording_files_type_known', `content_type = ANY ('{${RECORDING_TYPES.join()}}')`)
@Index('recording_files_without_recording', ['createdAt'], { where: 'conversation_id IS NULL' })
@Index(['workspaceId'])
export class RecordingFile {
  /** The name of the file. */
  @PrimaryColumn('uuid') key: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('uuid', { nullable: true }) conversationId: string | null;

  @OneToOne(() => CallRecording, { nullable: true, onDelete: 'SET NULL' })
  @JoinColumn({ name: 'conversation_id', referencedColumnName: 'conversationId' })
  recording: CallRecording | null;

  @Column('text') contentType: RecordingType;

  /** The size of the file; during the upload, the largest size that it can have. */
  @Column('bigint') bytes: string;

  /** The time after which an unfinished upload is considered failed. null: the upload is complete. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) uploadedUntil: Date | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
