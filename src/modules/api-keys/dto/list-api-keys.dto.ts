import { PageQueryDto } from '../../../http/page.js';
import { QueryBoolean } from '../../../http/query.decorators.js';

export class ListApiKeysDto extends PageQueryDto {
  @QueryBoolean('`true` lists the revoked keys, otherwise those that are not.')
  revoked?: boolean;
}
