package core

import (
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
)

// podSecurityContext checks the security settings of the pod as a whole.
//
// Models pkg/apis/core/validation validatePodSpecSecurityContext.
func (v *podValidator) podSecurityContext(at *check.Path) {
	sc := v.spec.SecurityContext
	if sc == nil {
		return
	}
	context := at.Child("securityContext")
	v.group(&context, "fsGroup", sc.FSGroup)
	v.user(&context, "runAsUser", sc.RunAsUser)
	v.group(&context, "runAsGroup", sc.RunAsGroup)
	groups := context.Child("supplementalGroups")
	for i := range sc.SupplementalGroups {
		group := groups.Index(i)
		v.group(&group, "", &sc.SupplementalGroups[i])
	}
	v.sysctls(&context, sc.Sysctls)
	if p := sc.FSGroupChangePolicy; p != nil && *p != corev1.FSGroupChangeOnRootMismatch && *p != corev1.FSGroupChangeAlways {
		v.NotSupported(&context, "fsGroupChangePolicy", *p, "Always", "OnRootMismatch")
	}
	v.seccomp(&context, sc.SeccompProfile)
	v.windowsOptions(&context, sc.WindowsOptions)
	v.appArmor(&context, sc.AppArmorProfile)
	if p := sc.SupplementalGroupsPolicy; p != nil && *p != corev1.SupplementalGroupsPolicyMerge && *p != corev1.SupplementalGroupsPolicyStrict {
		v.NotSupported(&context, "supplementalGroupsPolicy", *p, "Merge", "Strict")
	}
	if p := sc.SELinuxChangePolicy; p != nil && *p != corev1.SELinuxChangePolicyRecursive && *p != corev1.SELinuxChangePolicyMountOption {
		v.NotSupported(&context, "seLinuxChangePolicy", *p, "MountOption", "Recursive")
	}
}

func (v *podValidator) user(at *check.Path, child string, id *int64) {
	if id != nil {
		v.InvalidAll(at, child, *id, validation.IsValidUserID(*id))
	}
}

func (v *podValidator) group(at *check.Path, child string, id *int64) {
	if id != nil {
		v.InvalidAll(at, child, *id, validation.IsValidGroupID(*id))
	}
}

// securityContext checks the security settings of one container.
//
// Models pkg/apis/core/validation ValidateSecurityContext.
func (v *podValidator) securityContext(at *check.Path, sc *corev1.SecurityContext) {
	if sc == nil {
		return
	}
	context := at.Child("securityContext")
	v.user(&context, "runAsUser", sc.RunAsUser)
	v.group(&context, "runAsGroup", sc.RunAsGroup)
	if p := sc.ProcMount; p != nil {
		if *p != corev1.DefaultProcMount && *p != corev1.UnmaskedProcMount {
			v.NotSupported(&context, "procMount", *p, "Default", "Unmasked")
		}
		if v.users && *p == corev1.UnmaskedProcMount {
			v.Invalid(&context, "procMount", *p, "`hostUsers` must be false to use `Unmasked`")
		}
	}
	v.seccomp(&context, sc.SeccompProfile)
	if p := sc.AllowPrivilegeEscalation; p != nil && !*p {
		v.noEscalation(&context, sc)
	}
	v.windowsOptions(&context, sc.WindowsOptions)
	v.appArmor(&context, sc.AppArmorProfile)
}

// noEscalation refuses what gives a process more rights where escalation is denied.
func (v *podValidator) noEscalation(at *check.Path, sc *corev1.SecurityContext) {
	if sc.Privileged != nil && *sc.Privileged {
		v.Invalid(at, "", check.Internal(sc), "cannot set `allowPrivilegeEscalation` to false and `privileged` to true")
	}
	if sc.Capabilities == nil || v.rules.sysAdmin {
		return
	}
	for _, c := range sc.Capabilities.Add {
		if c == "CAP_SYS_ADMIN" {
			v.Invalid(at, "", check.Internal(sc), "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN")
		}
	}
}

func (v *podValidator) seccomp(at *check.Path, p *corev1.SeccompProfile) {
	if p == nil {
		return
	}
	profile := at.Child("seccompProfile")
	switch p.Type {
	case corev1.SeccompProfileTypeLocalhost, corev1.SeccompProfileTypeRuntimeDefault, corev1.SeccompProfileTypeUnconfined:
	case "":
		v.Required(&profile, "type", "type is required when seccompProfile is set")
	default:
		v.NotSupported(&profile, "type", p.Type, "Localhost", "RuntimeDefault", "Unconfined")
	}
	switch {
	case p.Type != corev1.SeccompProfileTypeLocalhost:
		if p.LocalhostProfile != nil {
			v.Invalid(&profile, "localhostProfile", check.Internal(p), "can only be set when seccomp type is Localhost")
		}
	case p.LocalhostProfile == nil:
		v.Required(&profile, "localhostProfile", "must be set when seccomp type is Localhost")
	default:
		v.localPath(&profile, "localhostProfile", *p.LocalhostProfile)
	}
}

const longestAppArmorProfile = 4095 // PATH_MAX - 1

func (v *podValidator) appArmor(at *check.Path, p *corev1.AppArmorProfile) {
	if p == nil {
		return
	}
	profile := at.Child("appArmorProfile")
	appArmorProfile(&v.Errors, &profile, p)
}

// Models pkg/apis/core/validation ValidateAppArmorProfileField.
func appArmorProfile(e *check.Errors, at *check.Path, p *corev1.AppArmorProfile) {
	switch p.Type {
	case corev1.AppArmorProfileTypeLocalhost:
		if p.LocalhostProfile == nil {
			e.Required(at, "localhostProfile", "must be set when AppArmor type is Localhost")
			return
		}
		if trimmed := strings.TrimSpace(*p.LocalhostProfile); trimmed != *p.LocalhostProfile {
			e.Invalid(at, "localhostProfile", *p.LocalhostProfile, "must not be padded with whitespace")
		} else if trimmed == "" {
			e.Required(at, "localhostProfile", "must be set when AppArmor type is Localhost")
		}
		if len(*p.LocalhostProfile) > longestAppArmorProfile {
			e.TooLong(at, "localhostProfile", longestAppArmorProfile)
		}
	case corev1.AppArmorProfileTypeRuntimeDefault, corev1.AppArmorProfileTypeUnconfined:
		if p.LocalhostProfile != nil {
			e.Invalid(at, "localhostProfile", p.LocalhostProfile, "can only be set when AppArmor type is Localhost")
		}
	case "":
		e.Required(at, "type", "type is required when appArmorProfile is set")
	default:
		e.NotSupported(at, "type", p.Type, "Localhost", "RuntimeDefault", "Unconfined")
	}
}

const (
	longestSysctl = 253
	sysctlSegment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
	sysctlPattern = "^(" + sysctlSegment + `[\./])*` + sysctlSegment + "$"
)

func (v *podValidator) sysctls(at *check.Path, list []corev1.Sysctl) {
	var seen check.Set
	sysctls := at.Child("sysctls")
	for i := range list {
		name, sysctl := list[i].Name, sysctls.Index(i)
		matches, _ := regexp.MatchString(sysctlPattern, name)
		switch {
		case name == "":
			v.Required(&sysctl, "name", "")
		case len(name) > longestSysctl || !matches:
			v.Invalid(&sysctl, "name", name, "must have at most 253 characters and match regex "+sysctlPattern)
		case seen.Has(name):
			v.Duplicate(&sysctl, "name", name)
		}
		seen.Add(name)
		if detail := hostSysctl(v.spec, name); detail != "" && !v.rules.hostSysctls {
			v.Invalid(&sysctl, "name", name, detail)
		}
	}
}

// hostSysctl says why a pod that shares a namespace of the host may not set a parameter of it; "" when it
// may.
func hostSysctl(spec *corev1.PodSpec, name string) string {
	if i := strings.IndexAny(name, "./"); i >= 0 && name[i] == '/' {
		name = strings.NewReplacer("/", ".", ".", "/").Replace(name)
	}
	name, _, _ = strings.Cut(name, "*")
	ipc := strings.HasPrefix(name, "fs.mqueue.")
	switch name {
	case "kernel.sem", "kernel.shm", "kernel.shmall", "kernel.shmmax", "kernel.shmmni", "kernel.shm_rmid_forced",
		"kernel.msg", "kernel.msgmax", "kernel.msgmnb", "kernel.msgmni":
		ipc = true
	}
	switch {
	case spec.HostNetwork && strings.HasPrefix(name, "net."):
		return "may not be specified when 'hostNetwork' is true"
	case spec.HostIPC && ipc:
		return "may not be specified when 'hostIPC' is true"
	}
	return ""
}

// hostUsers checks a pod with a user namespace of its own.
//
// Models pkg/apis/core/validation validateHostUsers.
func (v *podValidator) hostUsers(at *check.Path) {
	if v.users {
		return
	}
	const detail = "when `hostUsers` is false"
	if v.spec.HostNetwork {
		v.Forbidden(at, "hostNetwork", detail)
	}
	if v.spec.HostPID {
		v.Forbidden(at, "HostPID", detail)
	}
	if v.spec.HostIPC {
		v.Forbidden(at, "HostIPC", detail)
	}
	if v.rules.userNamespaceDevices {
		return
	}
	eachContainer(v.spec, func(c *corev1.Container, list string, i int) {
		if len(c.VolumeDevices) > 0 {
			containers := at.Child(list)
			container := containers.Index(i)
			v.Forbidden(&container, "volumeDevices", detail)
		}
	})
}
