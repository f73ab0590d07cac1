package dev.fairlead.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.URI;

@Requirement("SEC-008")
class UrlPolicyTest {
    private static final URI ELSEWHERE = URI.create("https://login.example/metadata");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "10.1.2.3",
                "100.64.0.1",
                "127.0.0.1",
                "127.9.9.9",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.8",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.51.100.7",
                "203.0.113.9",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:10.0.0.1",
                "::10.0.0.1",
                "64:ff9b::10.0.0.1",
                "64:ff9b::169.254.169.254",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:db8::1",
                "2002:0a00:0001::1",
                "3fff::1",
                "fc00::1",
                "fd12::1",
                "fe80::1",
                "fec0::1",
                "ff02::1"
            })
    void anAddressThatIsNotPublicIsRefused(String address) throws Exception {
        assertThat(UrlPolicy.publicOnly().allows(ELSEWHERE, InetAddress.getByName(address)))
                .isFalse();
        assertThat(UrlPolicy.loopbackAllowed().allows(ELSEWHERE, InetAddress.getByName(address)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8.8.8.8",
                "100.63.0.1",
                "100.128.0.1",
                "172.15.0.1",
                "172.32.0.1",
                "192.0.1.1",
                "223.255.255.255",
                "2606:4700::1111",
                "2a00:1450::1",
                "64:ff9b::8.8.8.8"
            })
    void aPublicAddressIsAllowed(String address) throws Exception {
        assertThat(UrlPolicy.publicOnly().allows(ELSEWHERE, InetAddress.getByName(address)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:9/x, true",
        "https://localhost/x, true",
        "http://LOCALHOST/x, true",
        "http://app.localhost/x, true",
        "http://127.0.0.1/x, true",
        "http://127.1.2.3/x, true",
        "http://[::1]/x, true",
        "http://127.0.0.1.evil.example/x, false",
        "https://rebound.example/x, false",
        "http://2130706433/x, false"
    })
    void theOwnMachineIsReachedByItsOwnNamesAlone(URI url, boolean allowed) throws Exception {
        InetAddress loopback = InetAddress.getByName("127.0.0.1");

        assertThat(UrlPolicy.loopbackAllowed().allows(url, loopback)).isEqualTo(allowed);
        assertThat(UrlPolicy.publicOnly().allows(url, loopback)).isFalse();
    }
}
