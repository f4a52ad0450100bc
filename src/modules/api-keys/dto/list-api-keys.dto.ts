import { PageQueryDto } from '../../../http/lists/page.js';
import { QueryBoolean } from '../../../http/lists/query.decorators.js';

export class ListApiKeysDto extends PageQueryDto {
  @QueryBoolean('`true` lists revoked keys; `false`, the default, lists all others.')
  revoked?: boolean;
}
