import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The row of a link stays after its use, since the tokens of its session end with it. */
export class TokensOfLinks1795750000000 implements MigrationInterface {
  name = 'TokensOfLinks1795750000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "console_links" ADD "used_at" TIMESTAMP(3) WITH TIME ZONE`);
    await queryRunner.query(`ALTER TABLE "console_links" ADD "revoked_at" TIMESTAMP(3) WITH TIME ZONE`);
    await queryRunner.query(`ALTER TABLE "sessions" ADD "link_id" uuid`);
    await queryRunner.query(`UPDATE sessions SET link_id = id WHERE credential_kind = 'link'`);
    // The rows of used links were deleted. The hash is that of a token of another form, which begins no session.
    await queryRunner.query(`
      INSERT INTO console_links (id, workspace_id, user_id, name, hash, expires_at, created_at, used_at)
      SELECT id, workspace_id, user_id, name, hash, created_at, COALESCE(issued_at, created_at), created_at
      FROM sessions WHERE credential_kind = 'link'`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM console_links WHERE used_at IS NOT NULL OR revoked_at IS NOT NULL`);
    await queryRunner.query(`ALTER TABLE "sessions" DROP COLUMN "link_id"`);
    await queryRunner.query(`ALTER TABLE "console_links" DROP COLUMN "revoked_at"`);
    await queryRunner.query(`ALTER TABLE "console_links" DROP COLUMN "used_at"`);
  }
}
