package dev.fairlead.browser;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;

import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Somebody who logs in with a browser of their own, and agrees to all that is asked. */
final class Person implements AutoCloseable {
    private static final String CONSENT = "form[name=consent_form] input[name=scope]:enabled";

    private final Chromium.Profile browser;
    private final String name;

    /** How often the password was asked for. */
    final List<String> logins = new CopyOnWriteArrayList<>();

    /** The scopes that were agreed to, one by one. */
    final List<String> consents = new CopyOnWriteArrayList<>();

    Person(Chromium chromium, String name) {
        this.browser = chromium.profile();
        this.name = name;
    }

    static String passwordOf(String name) {
        return "the password of " + name;
    }

    /** Follows the pages of a login until it is over. */
    void logIn(URI url) {
        String last =
                browser.open(
                        url,
                        page -> {
                            while (!page.url().contains("/callback?")) {
                                next(page);
                            }
                            return page.locator("p").textContent();
                        });
        if (!last.startsWith("Your login has arrived")) {
            throw new AssertionError(last);
        }
    }

    private void next(Page page) {
        if (page.locator("input[name=username]").count() > 0) {
            logins.add(name);
            page.fill("input[name=username]", name);
            page.fill("input[name=password]", passwordOf(name));
            go(page, "button[type=submit]");
            return;
        }
        for (Locator scope : page.locator(CONSENT).all()) {
            consents.add(scope.getAttribute("value"));
            scope.check();
        }
        go(page, "#submit-consent");
    }

    private static void go(Page page, String button) {
        String before = page.url();
        page.click(button);
        page.waitForURL(url -> !url.equals(before));
        if (page.url().contains("error")) {
            throw new AssertionError(page.url() + ": " + page.content());
        }
    }

    @Override
    public void close() {
        browser.close();
    }
}
