import type { Erasure } from './erasure.entity';
import type { ErasureDto, RequestedErasureDto } from './erasures.dto';

export const presentRequested = ({ id, status }: Pick<Erasure, 'id' | 'status'>): RequestedErasureDto => ({
  erasure_id: id,
  status,
});

export const presentErasure = (erasure: Erasure): ErasureDto => ({
  ...presentRequested(erasure),
  created_at: erasure.createdAt,
  completed_at: erasure.completedAt,
  calls: erasure.calls,
  recipients: erasure.recipients,
  calls_under_way: erasure.callsUnderWay,
  do_not_call: erasure.keptDoNotCall,
});
