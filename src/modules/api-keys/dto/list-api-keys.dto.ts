import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryBoolean } from '../../../http/lists/query.decorators.js';

export class ListApiKeysDto extends PageQueryDto {
  @QueryBoolean('`true` lists the revoked keys, otherwise those that are not.')
  revoked?: boolean;
}
