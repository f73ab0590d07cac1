package dev.fairlead.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ReducedMotion;

import dev.fairlead.http.HttpServing;

import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A person who looks at a console, and everything that their browser complains about. */
final class ConsolePage implements AutoCloseable {
    /** The size of a screen. */
    enum Screen {
        WIDE(1280, 800),
        PHONE(390, 844);

        final int width;
        final int height;

        Screen(int width, int height) {
            this.width = width;
            this.height = height;
        }
    }

    /** Errors of scripts, breaches of the content policy, and requests to other places. */
    final List<String> complaints = new CopyOnWriteArrayList<>();

    private final Chromium.Profile profile;

    ConsolePage(Chromium chromium, Screen screen) {
        this.profile =
                chromium.profile(
                        new Browser.NewContextOptions()
                                .setViewportSize(screen.width, screen.height)
                                .setReducedMotion(ReducedMotion.REDUCE));
    }

    /** The use of a page. */
    @FunctionalInterface
    interface Use {
        void on(Page page) throws Exception;
    }

    /** Opens the console at an address and uses it. */
    void open(URI address, Use use) {
        profile.open(
                page -> {
                    page.onConsoleMessage(
                            message -> {
                                if (message.type().equals("error")
                                        || message.type().equals("warning")) {
                                    complaints.add(message.text() + " at " + message.location());
                                }
                            });
                    page.onPageError(complaints::add);
                    page.onRequest(
                            request -> {
                                if (!request.url().startsWith(origin(address))) {
                                    complaints.add("request to " + request.url());
                                }
                            });
                    page.navigate(address.toString());
                    try {
                        use.on(page);
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    return true;
                });
    }

    private static String origin(URI address) {
        return address.getScheme() + "://" + address.getAuthority() + "/";
    }

    /** Waits until the page is connected. */
    static void awaitLive(Page page) {
        page.locator(".live.good").waitFor();
    }

    /** Returns the row of a thing, once it is there. */
    static Locator row(Page page, String text) {
        Locator row = page.locator("tbody tr", new Page.LocatorOptions().setHasText(text)).first();
        row.waitFor();
        return row;
    }

    /** Returns the address of a view. */
    static URI view(URI console, String view) {
        return URI.create(console.toString().replaceAll("#.*", "") + "#/" + view);
    }

    /** Returns the address of the page without its token. */
    static URI bare(HttpServing serving) {
        return serving.uri().resolve("/console/");
    }

    @Override
    public void close() {
        profile.close();
    }
}
