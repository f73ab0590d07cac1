package dev.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.servlet.Container.Application;
import dev.fairlead.servlet.Container.Running;

import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.Map;

/** A filter before the servlet takes the client at its word. */
@ParameterizedClass
@EnumSource(Container.class)
@Timeout(60)
class FilteredAddressTest extends ServletTest {
    private static final String CLAIM = "X-Claim";

    /** Reports the address that a client claims as its address. */
    private static final class Believing extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final transient McpServlet servlet;

        Believing(McpServlet servlet) {
            this.servlet = servlet;
        }

        @Override
        public void init(ServletConfig config) throws ServletException {
            super.init(config);
            servlet.init(config);
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            HttpServletRequest claimed =
                    new HttpServletRequestWrapper(request) {
                        @Override
                        public String getRemoteAddr() {
                            String claim = request.getHeader(CLAIM);
                            return claim == null ? super.getRemoteAddr() : claim;
                        }
                    };
            servlet.service(claimed, response);
        }

        @Override
        public void destroy() {
            servlet.destroy();
        }
    }

    private Running believing() throws Exception {
        var servlet = new McpServlet(closedLater(server().build()), ENDPOINT.requestRate(1, 2));
        return start(Application.of("", Map.of("/mcp", new Believing(servlet))));
    }

    private int status(Running running, String claim) throws IOException {
        return post(running, "/mcp", initialize(), CLAIM, claim).status();
    }

    private void exhaust(Running running, String claim) throws IOException {
        while (status(running, claim) != 429) {
            checkNotInterrupted();
        }
    }

    /** The time limit of the test interrupts it. */
    private static void checkNotInterrupted() {
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void namesAreNotLookedUpAndCountAsOneCaller() throws Exception {
        Running running = believing();
        assertCountAsOne(running, "localhost", "name%s.example");

        assertThat(status(running, "127.0.0.1")).isEqualTo(200);
    }

    /** Each other claim is new: one that counted for itself would never be refused. */
    private void assertCountAsOne(Running running, String claim, String others) throws IOException {
        int other = 0;
        do { // again, where a second has passed in between
            checkNotInterrupted();
            exhaust(running, claim);
        } while (status(running, others.formatted(other++)) != 429);
    }

    @Test
    void theZoneOfAnAddressSaysNothing() throws Exception {
        Running running = believing();
        assertCountAsOne(running, "fe80::1%one", "fe80::1%%%s");

        assertThat(status(running, "no-address")).isEqualTo(200);
    }
}
