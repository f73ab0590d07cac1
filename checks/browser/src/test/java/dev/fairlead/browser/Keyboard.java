package dev.fairlead.browser;

import com.microsoft.playwright.Page;

/** A person without a mouse, who sees where the focus is. */
final class Keyboard {
    /** More elements than any page of the tests has. */
    private static final int MOST = 120;

    /** Whether the focused element is visible, and shows by an outline that it is focused. */
    private static final String FOCUS_IS_SHOWN =
            """
            () => {
              const e = document.activeElement;
              const style = getComputedStyle(e);
              return e.matches(':focus-visible') && e.checkVisibility()
                && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
            }
            """;

    private final Page page;

    Keyboard(Page page) {
        this.page = page;
    }

    /** Moves the focus forward until it is at the element. */
    void goTo(String selector) {
        move("Tab", selector);
    }

    /** Moves the focus backward until it is at the element. */
    void goBackTo(String selector) {
        move("Shift+Tab", selector);
    }

    private void move(String key, String selector) {
        for (int i = 0; i < MOST; i++) {
            page.keyboard().press(key);
            if (isAt(selector)) {
                if (!(Boolean) page.evaluate(FOCUS_IS_SHOWN)) {
                    throw new AssertionError("The focus is not visible at " + selector);
                }
                return;
            }
        }
        throw new AssertionError("The keyboard does not reach " + selector);
    }

    /** Returns whether the focus is at the element. */
    boolean isAt(String selector) {
        return (Boolean)
                page.locator(selector).first().evaluate("e => e === document.activeElement");
    }

    /** Moves the focus forward to a field, and types. */
    void type(String selector, String text) {
        goTo(selector);
        page.keyboard().insertText(text);
    }

    /** Presses a key at an element forward from here. */
    void press(String key, String selector) {
        goTo(selector);
        page.keyboard().press(key);
    }
}
