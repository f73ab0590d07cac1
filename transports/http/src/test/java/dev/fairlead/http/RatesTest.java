package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.endpoint.HttpRefusal;
import dev.fairlead.http.endpoint.HttpRefusalException;
import dev.fairlead.http.endpoint.Rates;
import dev.fairlead.http.endpoint.RequestSource;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.exchange.ForwardedExchange;
import dev.fairlead.http.exchange.ForwardedRequest;
import dev.fairlead.http.spi.AddressLiteral;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.protocol.Caller;

import org.junit.jupiter.api.Test;

import java.io.InputStream;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

class RatesTest {
    private static final long SECOND = 1_000_000_000;

    private final AtomicLong nanos = new AtomicLong();

    /** A request of which nothing matters but where it comes from; to where it says it came. */
    private record From(Optional<InetAddress> address, Optional<InetAddress> to)
            implements HttpExchange {
        static From address(String literal) {
            Optional<InetAddress> address = AddressLiteral.parse(literal);
            return new From(address, address);
        }

        @Override
        public Optional<InetAddress> remoteAddress() {
            return address;
        }

        @Override
        public String method() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String path() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String scheme() {
            return "http";
        }

        @Override
        public Optional<String> query() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> headers(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<InetAddress> localAddress() {
            return to;
        }

        @Override
        public InputStream body() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void respond(ResponseHead head, byte[] body, Runnable done) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ResponseStream stream(ResponseHead head) {
            throw new UnsupportedOperationException();
        }
    }

    private int passed(Rates rates, Caller caller, String address, int requests) {
        return passed(rates, caller, From.address(address), requests);
    }

    private int passed(Rates rates, Caller caller, HttpExchange exchange, int requests) {
        int passed = 0;
        for (int i = 0; i < requests; i++) {
            try {
                rates.request(RequestSource.of(exchange, caller));
                passed++;
            } catch (HttpRefusalException e) {
                assertThat(e.refusal().retryAfter()).isPositive();
            }
        }
        return passed;
    }

    @Test
    void anonymousCallersAreCountedByTheirAddress() {
        Rates rates = new Rates(Http.port(0).requestRate(2, 5).settings, nanos::get);

        assertThat(passed(rates, Caller.anonymous(), "192.0.2.1", 20)).isEqualTo(5);
        assertThat(passed(rates, Caller.anonymous(), "192.0.2.2", 20)).isEqualTo(5);
        nanos.addAndGet(SECOND);
        assertThat(passed(rates, Caller.anonymous(), "192.0.2.1", 20)).isEqualTo(2);
    }

    @Test
    void allAddressesThatOneMayHaveByIpv6CountAsOne() {
        Rates rates = new Rates(Http.port(0).requestRate(1, 5).settings, nanos::get);

        assertThat(passed(rates, Caller.anonymous(), "2001:db8:0:1::1", 3)).isEqualTo(3);
        assertThat(passed(rates, Caller.anonymous(), "2001:db8:0:1:ffff::", 20)).isEqualTo(2);
        assertThat(passed(rates, Caller.anonymous(), "2001:db8:0:2::1", 20)).isEqualTo(5);
    }

    @Test
    void theLoopbackInterfaceIsOnlyCountedOnRequest() {
        Rates standard = new Rates(new Settings(), nanos::get);
        Rates chosen = new Rates(Http.port(0).requestRate(1, 5).settings, nanos::get);

        assertThat(passed(standard, Caller.anonymous(), "127.0.0.1", 20_000)).isEqualTo(20_000);
        assertThat(passed(standard, Caller.anonymous(), "192.0.2.1", 20_000)).isEqualTo(10_000);
        assertThat(passed(chosen, Caller.anonymous(), "::1", 20)).isEqualTo(5);
    }

    @Test
    void aLoopbackAddressFromAProxyIsCounted() {
        Rates rates = new Rates(new Settings(), nanos::get);
        HttpExchange forwarded =
                new ForwardedExchange(
                        From.address("127.0.0.1"),
                        new ForwardedRequest(AddressLiteral.parse("::1").get(), null, null),
                        "");

        assertThat(passed(rates, Caller.anonymous(), forwarded, 20_000)).isEqualTo(10_000);
    }

    @Test
    void callersWithUnknownAddressesAreCountedTogether() {
        Rates rates = new Rates(new Settings(), nanos::get);
        From unknown = new From(Optional.empty(), AddressLiteral.parse("127.0.0.1"));

        assertThat(passed(rates, Caller.anonymous(), unknown, 20_000)).isEqualTo(10_000);
    }

    @Test
    void aKnownCallerHasOneAllowanceWhereverItComesFrom() {
        Rates rates = new Rates(new Settings(), nanos::get);
        Caller known = Caller.of("https://issuer.example", "ada", "client", Set.of());

        assertThat(passed(rates, known, "127.0.0.1", 6_000)).isEqualTo(6_000);
        assertThat(passed(rates, known, "192.0.2.1", 6_000)).isEqualTo(4_000);
        assertThat(passed(rates, Caller.anonymous(), "192.0.2.1", 1)).isOne();
    }

    @Test
    void byDefaultAThousandGuessesPassAndThenAHundredASecond() {
        Rates rates = new Rates(new Settings(), nanos::get);

        assertThat(guessed(rates, 2_000)).isEqualTo(1_000);
        nanos.addAndGet(SECOND);
        assertThat(guessed(rates, 2_000)).isEqualTo(100);
    }

    private static int guessed(Rates rates, int guesses) {
        RequestSource guesser = RequestSource.of(From.address("127.0.0.1"), Caller.anonymous());
        int passed = 0;
        for (int i = 0; i < guesses; i++) {
            try {
                rates.guessed(guesser);
                passed++;
            } catch (HttpRefusalException e) {
                assertThat(e.refusal().retryAfter()).isPositive();
            }
        }
        return passed;
    }

    @Test
    void theWaitIsInWholeSecondsUntilThereIsPlace() {
        Rates rates = new Rates(Http.port(0).unknownSessionRate(1, 1).settings, nanos::get);
        RequestSource guesser = RequestSource.of(From.address("192.0.2.1"), Caller.anonymous());
        assertThat(rates.hasGuessedTooOften(guesser)).isFalse();
        rates.guessed(guesser);

        assertThat(rates.hasGuessedTooOften(guesser)).isTrue();
        assertThatThrownBy(() -> rates.guessed(guesser))
                .isInstanceOfSatisfying(
                        HttpRefusalException.class,
                        e ->
                                assertThat(HttpRefusal.seconds(e.refusal().retryAfter()))
                                        .isEqualTo("1"));
        nanos.addAndGet(SECOND);
        assertThat(rates.hasGuessedTooOften(guesser)).isFalse();
        rates.guessed(guesser);
    }
}
