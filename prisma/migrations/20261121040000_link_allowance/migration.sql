-- CreateTable
CREATE TABLE "link_allowance" (
    "link_pk" BIGINT NOT NULL,
    "used" INTEGER NOT NULL,
    "granted" INTEGER NOT NULL,

    CONSTRAINT "link_allowance_pkey" PRIMARY KEY ("link_pk")
);

-- AddForeignKey
ALTER TABLE "link_allowance" ADD CONSTRAINT "link_allowance_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "link"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
