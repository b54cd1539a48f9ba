/** The types of what the page imports from vendor/preact.js: Preact with its hooks, signals and htm. */

/** What a component returns: `html` makes it. */
export type Drawn = VNode | VNode[] | string | number | boolean | null | undefined;

export interface VNode {
  readonly type: unknown;
  readonly props: Record<string, unknown>;
  readonly key: unknown;
}

/** A value that redraws what has read it when it becomes another. */
export interface Signal<T> extends ReadonlySignal<T> {
  value: T;
}

/** A value that follows from signals. */
export interface ReadonlySignal<T> {
  readonly value: T;
  peek(): T;
}

export interface Ref<T> {
  current: T;
}

type Cleanup = void | (() => void);
type Inputs = readonly unknown[];

/** What stands in a template. It says of no function what that is given: an event, or what a
 * component has for it. */
type Slot = ((...given: any[]) => unknown) | object | string | number | boolean | null | undefined;

export function html(texts: TemplateStringsArray, ...values: Slot[]): Drawn;
export function h(type: unknown, props?: object | null, ...children: unknown[]): VNode;
export function render(drawn: Drawn, place: Element): void;
export const options: { [hook: string]: (drawn: any) => void };

export function signal<T>(value: T): Signal<T>;
export function computed<T>(value: () => T): ReadonlySignal<T>;
export function effect(run: () => Cleanup): () => void;
export function batch<T>(run: () => T): T;
export function untracked<T>(run: () => T): T;

export function useSignal<T>(value: T): Signal<T>;
export function useComputed<T>(value: () => T): ReadonlySignal<T>;
export function useSignalEffect(run: () => Cleanup): void;
export function useState<T>(first: T | (() => T)): [T, (next: T | ((last: T) => T)) => void];
/** For an element of the component: it is there when effects and handlers run. */
export function useRef<T extends Element = HTMLElement>(first: null): Ref<T>;
export function useRef<T>(first: T): Ref<T>;
export function useEffect(run: () => Cleanup, inputs?: Inputs): void;
export function useLayoutEffect(run: () => Cleanup, inputs?: Inputs): void;
export function useMemo<T>(make: () => T, inputs: Inputs): T;
export function useCallback<T>(call: T, inputs: Inputs): T;
export function useId(): string;
