import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { Spinner } from "./spinner.tsx";

const variants = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium transition-colors disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        solid: "bg-solid text-on-solid hover:bg-solid-hover",
        outline: "border border-line bg-surface text-ink shadow-raised hover:bg-hover",
        ghost:
          "text-ink-muted hover:bg-hover hover:text-ink aria-expanded:bg-hover data-[state=open]:bg-hover",
        danger: "bg-danger-fill text-white hover:opacity-90",
      },
      size: {
        sm: "h-7 px-2.5 text-sm pointer-coarse:h-9",
        md: "h-8 px-3 text-sm pointer-coarse:h-10",
        lg: "h-10 px-4 text-base",
        icon: "size-7 pointer-coarse:size-9",
      },
    },
    defaultVariants: { variant: "outline", size: "md" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof variants> {
  /** Applies the styles to the only child, such as a link, instead of a button. */
  asChild?: boolean;
  /** Shows that the action is running, and accepts no second click. */
  pending?: boolean;
}

export function Button({
  variant,
  size,
  asChild = false,
  pending = false,
  type = "button",
  className,
  children,
  disabled,
  ...props
}: ButtonProps) {
  const classes = classNames(variants({ variant, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type={type}
      className={classes}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      {...props}
    >
      {pending ? <Spinner /> : null}
      {children}
    </button>
  );
}
