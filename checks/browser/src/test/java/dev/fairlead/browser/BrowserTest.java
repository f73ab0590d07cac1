package dev.fairlead.browser;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Tests with the browser, which starts before the first class and ends after the last. */
@ExtendWith(BrowserTest.OneChromium.class)
abstract class BrowserTest {
    static Chromium chromium;

    @BeforeAll
    static void use(Chromium started) {
        chromium = started;
    }

    /** Starts the browser for the first class; JUnit closes it. */
    static final class OneChromium implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Chromium.class;
        }

        @Override
        public Chromium resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(OneChromium.class))
                    .computeIfAbsent(Chromium.class, kind -> new Chromium(), Chromium.class);
        }
    }
}
