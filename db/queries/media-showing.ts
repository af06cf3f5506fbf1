/**
 * Creatives `c` of an owner that show an asset, as FROM and WHERE: by the revision that its owner sees, the latest, or
 * by the one that serves, the approved. What they show is not deleted.
 */
export const showing = (media: string, owner: string): string => `creative_revisions r
  JOIN creatives c ON c.id = r.creative_id
  WHERE ARRAY[r.image_media_id, r.image_media_id_2, r.video_media_id, r.icon_media_id, r.html5_media_id]
      @> ARRAY[${media}]
    AND c.advertiser_id = ${owner} AND c.status <> 'ARCHIVED'
    AND r.revision IN (c.latest_revision, c.approved_revision)`;
