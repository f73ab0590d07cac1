package dev.fairlead.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * The Chromium of the system, without a window. Thread-safe: one thread of its own drives it, since
 * Playwright serves no other.
 */
final class Chromium implements AutoCloseable {
    private static final List<String> OPTIONS =
            List.of(
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--disable-gpu");

    private final ExecutorService driver =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().name("chromium").factory());
    private final Playwright playwright;
    private final Browser browser;

    Chromium() {
        Path program = program();
        playwright =
                on(
                        () ->
                                Playwright.create(
                                        new Playwright.CreateOptions()
                                                .setEnv(
                                                        Map.of(
                                                                "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                                                                "1"))));
        browser =
                on(
                        () ->
                                playwright
                                        .chromium()
                                        .launch(
                                                new BrowserType.LaunchOptions()
                                                        .setExecutablePath(program)
                                                        .setHeadless(true)
                                                        .setChromiumSandbox(false) // not as root
                                                        .setArgs(OPTIONS)));
    }

    private static Path program() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
            Path program = Path.of(folder, "chromium");
            if (Files.isExecutable(program)) {
                return program;
            }
        }
        throw new IllegalStateException("these tests need the program chromium on the path");
    }

    /** A person's browser, which shares nothing with another's. */
    Profile profile() {
        return profile(new Browser.NewContextOptions());
    }

    /** A person's browser with a size and colours of its own. */
    Profile profile(Browser.NewContextOptions options) {
        return new Profile(
                on(
                        () -> {
                            BrowserContext context = browser.newContext(options);
                            context.route(
                                    url -> !URI.create(url).getHost().equals("127.0.0.1"),
                                    route -> route.abort());
                            return context;
                        }));
    }

    /** Cookies and pages of a person; nothing is loaded but from this machine. */
    final class Profile implements AutoCloseable {
        private final BrowserContext context;

        private Profile(BrowserContext context) {
            this.context = context;
        }

        /** Opens a page, and closes it again when it was used. */
        <T> T open(URI url, Function<Page, T> use) {
            return open(
                    page -> {
                        page.navigate(url.toString());
                        return use.apply(page);
                    });
        }

        /** Opens an empty page, and closes it again when it was used. */
        <T> T open(Function<Page, T> use) {
            return on(
                    () -> {
                        try (Page page = context.newPage()) {
                            return use.apply(page);
                        }
                    });
        }

        @Override
        public void close() {
            on(
                    () -> {
                        context.close();
                        return true;
                    });
        }
    }

    private <T> T on(Callable<T> work) {
        try {
            return driver.submit(work).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the browser failed: " + e.getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the browser worked", e);
        }
    }

    @Override
    public void close() {
        on(
                () -> {
                    browser.close();
                    playwright.close();
                    return true;
                });
        driver.shutdown();
    }
}
