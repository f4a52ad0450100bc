import { parser } from '@prometheus-io/lezer-promql';

/** The metrics and labels that an expression uses. */
export interface Query {
  /** The metrics, each with the labels by which it is selected. */
  selectors: { metric: string; labels: string[] }[];
  /** The labels by which it groups. */
  groupings: string[];
}

/** Parses an expression with Prometheus' own grammar. Throws if it is not valid. */
export function readQuery(expression: string): Query {
  const query: Query = { selectors: [], groupings: [] };
  parser.parse(expression).iterate({
    enter({ type, from, to, node }) {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`invalid PromQL at offset ${from}: ${expression}`);
      if (type.name === 'VectorSelector') {
        const name = node.getChild('Identifier');
        if (!name) throw new Error(`a selector without a name: ${expression}`);
        query.selectors.push({ metric: expression.slice(name.from, name.to), labels: [] });
      }
      if (type.name !== 'LabelName') return;
      if (node.parent?.name === 'GroupingLabels') query.groupings.push(text);
      else query.selectors.at(-1)!.labels.push(text);
    },
  });
  return query;
}

type Node = ReturnType<typeof parser.parse>['topNode'];

/**
 * Returns the operations of an expression that never have a result, because their sides have different labels and do not
 * state which to match.
 * @param labelsOf returns the labels of a metric
 */
export function unmatched(expression: string, labelsOf: (metric: string) => readonly string[]): string[] {
  const found: string[] = [];
  const textOf = ({ from, to }: Node): string => expression.slice(from, to);
  /** Returns the labels of a vector in alphabetical order; null for a number. */
  const labels = (node: Node): string | null => {
    const body = node.getChild('FunctionCallBody') ?? node;
    const parts = body.getChildren('Expr').map(labels);
    const first = parts.find((one) => one !== null) ?? null;
    if (node.name === 'VectorSelector') return [...labelsOf(textOf(node.getChild('Identifier')!))].sort().join();
    if (node.name === 'AggregateExpr') {
      const grouping = node.getChild('AggregateModifier')?.getChild('GroupingLabels');
      return (grouping?.getChildren('LabelName') ?? []).map(textOf).sort().join();
    }
    if (node.name === 'FunctionCall' && textOf(node).startsWith('histogram_quantile')) {
      return first!
        .split(',')
        .filter((label) => label !== 'le')
        .join();
    }
    if (node.name === 'BinaryExpr' && !node.getChild('Or') && !node.getChild('MatchingModifierClause')) {
      const [left, right] = parts;
      if (left !== null && right !== null && left !== right) found.push(textOf(node));
    }
    return first;
  };
  labels(parser.parse(expression).topNode);
  return found;
}
