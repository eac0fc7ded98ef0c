import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * This key is not added with those to calls: requests lock the tables of workspaces and of calls in both orders, so a
 * transaction that locks both is a deadlock with one of them.
 */
export class MeasurementsOfWorkspaces1795810000100 implements MigrationInterface {
  name = 'MeasurementsOfWorkspaces1795810000100';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "measurement_rollups" ADD CONSTRAINT "measurement_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "measurement_rollups" DROP CONSTRAINT "measurement_rollups_workspace_id_fkey"`,
    );
  }
}
