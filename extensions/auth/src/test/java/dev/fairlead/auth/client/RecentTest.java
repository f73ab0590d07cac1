package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.net.URI;

class RecentTest {
    @Test
    void ofMoreThanItKeepsWhatWasUsedLongestAgoGoes() {
        Recent<Integer, String> recent = new Recent<>();
        for (int i = 0; i < Recent.MOST; i++) {
            recent.put(i, "value");
        }
        assertThat(recent.find(0)).contains("value"); // is used by that

        recent.put(Recent.MOST, "value");

        assertThat(recent.find(0)).isPresent();
        assertThat(recent.find(1)).isEmpty();
        assertThat(recent.find(2)).isPresent();
    }

    @Test
    void aCachedValueIsNotComputedAgain() {
        Recent<String, Object> recent = new Recent<>();
        Object first = recent.get("key", key -> new Object());

        assertThat(recent.get("key", key -> new Object())).isSameAs(first);
    }

    @Test
    void noncesOfManyServersAreBounded() {
        Nonces nonces = new Nonces();
        for (int i = 0; i <= Recent.MOST; i++) {
            nonces.keep(URI.create("https://server" + i + ".example/mcp"), "nonce");
        }

        assertThat(nonces.of(URI.create("https://server0.example/mcp"))).isEmpty();
        assertThat(nonces.of(URI.create("https://server1.example/other"))).contains("nonce");
    }
}
